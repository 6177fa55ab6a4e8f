// Damages a session file in the ways in which files are damaged, and says what it left alone.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowStore } from '../src/ingest/rows.ts';
import { sessionReader } from '../src/ingest/session-reader.ts';
import type { SourceRef } from '../src/schema/blocks.ts';
import type { Session } from '../src/schema/session.ts';
import { claudeCode } from '../src/sources/claude-code/index.ts';
import { codex } from '../src/sources/codex/index.ts';
import { gemini } from '../src/sources/gemini/index.ts';
import type { Source } from '../src/sources/source.ts';
import { fixtureFolders, memoryFiles } from './support.ts';

interface Line {
  bytes: Buffer;
  touched: boolean;
  /** Its line feed was lost. */
  glued: boolean;
}

/** One agent's session file, alone in a home. */
export interface Whole {
  source: Source;
  path: string;
  bytes: Buffer;
}

const ID = '00000000-0000-4000-8000-000000000000';
const AGENTS: { source: Source; path: string; left: RegExp }[] = [
  // Files that are broken already are left out: what is lost of the others was lost by us.
  { source: claudeCode, path: `.claude/projects/-home-me-demo/${ID}.jsonl`, left: /bad-lines$/ },
  {
    source: codex,
    path: `.codex/sessions/2026/01/10/rollout-2026-01-10T09-00-00-${ID}.jsonl`,
    left: /fork-of-a-damaged-parent$|-lost$/,
  },
  { source: gemini, path: `.gemini/tmp/demo/chats/session-2026-01-10T09-00-00000000.jsonl`, left: /^$/ },
];

/** Session files of the fixtures that are whole. */
export function wholeFiles(): Whole[] {
  return AGENTS.flatMap(({ source, path, left }) =>
    fixtureFolders(source.agent)
      .filter((folder) => !left.test(folder))
      .flatMap((folder) => readdirSync(join(folder, 'native'), { recursive: true, withFileTypes: true }))
      .filter(
        (entry) => entry.isFile() && entry.name.endsWith('.jsonl') && !/^(history|session_index)/.test(entry.name),
      )
      .map((entry) => ({ source, path, bytes: readFileSync(join(entry.parentPath, entry.name)) }))
      .filter(({ bytes }) => bytes.length > 0),
  );
}

/** A small generator of numbers from a seed: the same on every machine. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917) >>> 0;
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

const DAMAGES = ['cut', 'glue', 'flip', 'reorder', 'duplicate', 'blank', 'garbage', 'long', 'end'] as const;

export interface Damaged extends Whole {
  /** Lines that nothing was done to, as they lie now. */
  untouched: { line: number; offset: number; length: number }[];
  done: string[];
}

export function damaged(original: Whole, seed: number): Damaged {
  const random = randomFrom(seed);
  const lines = split(original.bytes);
  const done: string[] = [];
  for (let i = 0; i <= random(3); i++) {
    const damage = DAMAGES[random(DAMAGES.length)] ?? 'cut';
    done.push(damage);
    damageLine(lines, damage, random);
  }
  return { ...original, ...assembled(lines), done };
}

function split(bytes: Buffer): Line[] {
  const texts = bytes.toString('latin1').split('\n');
  if (texts.at(-1) === '') texts.pop();
  return texts.map((text) => ({ bytes: Buffer.from(text, 'latin1'), touched: false, glued: false }));
}

function damageLine(lines: Line[], damage: (typeof DAMAGES)[number], random: (below: number) => number): void {
  const at = random(Math.max(1, lines.length));
  const line = lines[at];
  if (line === undefined) return;
  const next = lines[at + 1];
  switch (damage) {
    case 'cut':
      line.bytes = line.bytes.subarray(0, random(line.bytes.length + 1));
      line.touched = true;
      break;
    case 'glue':
      line.glued = true;
      line.touched = true;
      if (next !== undefined) next.touched = true;
      break;
    case 'flip': {
      const flipped = Buffer.from(line.bytes);
      if (flipped.length > 0) flipped[random(flipped.length)] = random(256) === 10 ? 11 : random(256) || 1;
      line.bytes = Buffer.from(flipped.filter((byte) => byte !== 10));
      line.touched = true;
      break;
    }
    case 'reorder': {
      const other = random(lines.length);
      [lines[at], lines[other]] = [lines[other] as Line, line];
      break;
    }
    case 'duplicate':
      lines.splice(random(lines.length + 1), 0, { ...line });
      break;
    case 'blank':
      lines.splice(at, 0, { bytes: Buffer.from(['', '  ', '\r', '\t'][random(4)] ?? ''), touched: true, glued: false });
      break;
    case 'garbage': {
      const garbage = Buffer.from(Array.from({ length: random(40) }, () => random(256)).filter((byte) => byte !== 10));
      lines.splice(at, 0, { bytes: garbage, touched: true, glued: false });
      break;
    }
    case 'long':
      // A string a hundred times as long as usual: the reader's buffer must grow.
      line.bytes = Buffer.from(
        line.bytes.toString('latin1').replace('"text":"', `"text":"${'x'.repeat(20_000)}`),
        'latin1',
      );
      line.touched = true;
      break;
    case 'end':
      lines.length = at + 1;
      line.glued = true;
      line.bytes = line.bytes.subarray(0, random(line.bytes.length + 1));
      line.touched = true;
      break;
  }
}

function assembled(lines: Line[]): Pick<Damaged, 'bytes' | 'untouched'> {
  const pieces: Buffer[] = [];
  const untouched: Damaged['untouched'] = [];
  let offset = 0;
  let number = 1;
  let follows = false;
  for (const line of lines) {
    if (!line.touched && !line.glued && !follows && line.bytes.length > 0)
      untouched.push({ line: number, offset, length: line.bytes.length });
    const piece = line.glued ? line.bytes : Buffer.concat([line.bytes, Buffer.from('\n')]);
    pieces.push(piece);
    offset += piece.length;
    follows = line.glued;
    if (!line.glued) number++;
  }
  return { bytes: Buffer.concat(pieces), untouched };
}

/** The documents of one file that is only in memory. */
export function documentsOf({ source, path, bytes }: Whole): Session[] {
  const { port, files } = memoryFiles({ [path]: bytes });
  const { families } = source.group(files, port);
  return families.flatMap((family) => {
    const store = rowStore(port);
    const outlines = source.outline(family, port, { content: bytes.length % 2 === 0 });
    const paths = outlines.map((outline) => outline.head.source.files.map((file) => file.path));
    return outlines.map((outline, i) =>
      sessionReader(outline, source, {
        rows: store.rowsOf(paths[i] ?? []),
        bytes: store.bytesOf(paths[i] ?? []),
        file: () => undefined,
        familyId: family.id,
      }).read(),
    );
  });
}

/** What must hold whatever was done to a file. */
export function broken(result: Damaged): string[] {
  const faults: string[] = [];
  const documents = documentsOf(result);
  const main = documents.find((document) => document.session.kind === 'main') ?? documents[0];
  if (main === undefined) return ['there is no document'];
  const { lines, ...parts } = main.session.accounting;
  const sum = Object.values(parts).reduce((total, part) => total + part, 0);
  if (sum !== lines) faults.push(`accounting adds up to ${sum} of ${lines}`);
  const seen = new Set<string>();
  const see = ({ line, offset, length }: SourceRef) => seen.add(`${line} ${offset} ${length}`);
  for (const message of main.messages) message.source.forEach(see);
  for (const record of main.records) see(record.source);
  for (const { line, offset, length } of result.untouched) {
    if (!seen.has(`${line} ${offset} ${length}`)) faults.push(`line ${line} was lost`);
  }
  return faults;
}
