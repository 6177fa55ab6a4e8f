// One thing that is tried with a client, and what came of it.

import type { InstalledClient } from './clients.ts';

export const PARTS = ['events', 'clones', 'repairs', 'contexts'] as const;

export interface Scenario {
  part: (typeof PARTS)[number];
  client: InstalledClient;
  name: string;
  /** Gives a few words on what was found; throws where it is not as expected. */
  run(): Promise<string>;
}

/** "events: gemini 0.61.0: /clear" */
export function titleOf({ part, client, name }: Scenario): string {
  return `${part}: ${client.name}: ${name}`;
}

/** Thrown where a tool is missing. */
export class NotRun extends Error {}

/** Expected and found, as whole values. */
export function expectEqual(found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found, null, 2), JSON.stringify(expected, null, 2)];
  if (left !== right) throw new Error(difference(left.split('\n'), right.split('\n')));
}

function difference(found: string[], expected: string[]): string {
  let from = 0;
  while (found[from] === expected[from]) from++;
  let tail = 0;
  while (tail < Math.min(found.length, expected.length) - from && found.at(-1 - tail) === expected.at(-1 - tail))
    tail++;
  const part = (lines: string[], mark: string) =>
    lines.slice(from, lines.length - tail).map((line) => `    ${mark} ${line.trim()}`);
  const before = expected.slice(Math.max(0, from - 3), from).map((line) => `      ${line.trim()}`);
  return ['not as expected', ...before, ...part(expected, '-'), ...part(found, '+')].slice(0, 40).join('\n');
}
