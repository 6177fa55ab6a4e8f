// The history that is measured, in a folder of our own: made, or linked from one that is there.

import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { generateCorpus } from '../corpus.ts';
import { type Tokens, truthOf } from './tokens.ts';

export interface Corpus {
  home: string;
  /** Transcripts of all agents. */
  files: { path: string; bytes: number }[];
  bytes: number;
  truth: Tokens | null;
}

export function madeCorpus(home: string, options: { mb: number; files: number; seed: number }): Corpus {
  generateCorpus({ out: home, ...options });
  return corpusIn(home, home);
}

/** Nothing is ever written into the folder that was given: files that are changed become copies first. */
export function linkedCorpus(home: string, given: string): Corpus {
  for (const agent of ['.claude', '.codex', '.gemini']) {
    if (!existsSync(join(given, agent))) continue;
    for (const entry of readdirSync(join(given, agent), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const folder = join(home, entry.parentPath.slice(given.length));
      mkdirSync(folder, { recursive: true });
      linkOrCopy(join(entry.parentPath, entry.name), join(folder, entry.name));
    }
  }
  return corpusIn(home, given);
}

/** There are no links from one disk to another, nor to what belongs to somebody else. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    const { atime, mtime } = statSync(from);
    utimesSync(to, atime, mtime);
  }
}

function corpusIn(home: string, truth: string): Corpus {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl') && entry.name !== 'history.jsonl')
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: statSync(path).size }));
  if (files.length === 0)
    throw new Error(`There is no transcript in ${truth}: give a home with .claude, .codex or .gemini.`);
  return { home, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), truth: truthOf(truth) };
}
