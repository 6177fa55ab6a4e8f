import { printable } from './plain.ts';
import type { Paint, Tone } from './style.ts';

const TONE_OF: [start: string, tone: Tone][] = [
  ['+++', 'strong'],
  ['---', 'strong'],
  ['@@', 'hunk'],
  ['+', 'added'],
  ['-', 'removed'],
];

/** A unified diff in its colours, without what some tools write in front of it. */
export function diffLines(diff: string, paint: Paint): string[] {
  const lines = printable(diff).trimEnd().split('\n');
  const start = lines.findIndex((line) => line.startsWith('--- '));
  return lines.slice(start > 0 && start < 4 ? start : 0).map((line) => {
    const found = TONE_OF.find(([start]) => line.startsWith(start));
    return found === undefined ? line : paint(found[1], line);
  });
}

/** What a diff was made against, where it was not the file. */
export function diffBase(base: 'file' | 'fragment' | 'unknown' | null): string | null {
  if (base === 'fragment') return '(made against the fragment it names, not the file)';
  return base === 'unknown' ? '(made against an unknown text)' : null;
}
