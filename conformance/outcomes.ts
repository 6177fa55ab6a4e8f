// What came of the scenarios, told and written into the docs.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { InstalledClient } from './clients.ts';
import { NotRun, PARTS, type Scenario, titleOf } from './scenario.ts';

export interface Outcome {
  scenario: Scenario;
  title: string;
  result: 'passed' | 'failed' | 'not run';
  detail: string;
  seconds: number;
}

/** Runs a scenario; never throws. */
export async function tried(scenario: Scenario): Promise<Outcome> {
  const started = Date.now();
  const told = await scenario.run().then(
    (detail) => ({ result: 'passed' as const, detail }),
    (error: unknown) => ({
      result: error instanceof NotRun ? ('not run' as const) : ('failed' as const),
      detail: error instanceof Error ? error.message : String(error),
    }),
  );
  return { scenario, title: titleOf(scenario), ...told, seconds: (Date.now() - started) / 1000 };
}

const DOCS = fileURLToPath(new URL('../docs/conformance.md', import.meta.url));
const MARK = '<!-- results -->';

/** Writes the dated table behind the mark. */
export function writeDocs(outcomes: Outcome[], clients: InstalledClient[]): void {
  const text = readFileSync(DOCS, 'utf8');
  const head = text.slice(0, text.indexOf(MARK) + MARK.length);
  const date = new Date().toISOString().slice(0, 10);
  const passed = outcomes.filter(({ result }) => result === 'passed').length;
  const counts = `${date}: ${passed} of ${outcomes.length} as expected.`;
  const tables = PARTS.map((part) => table(part, outcomes, clients));
  writeFileSync(DOCS, `${[head, counts, ...tables].join('\n\n')}\n`);
}

function table(part: Scenario['part'], all: Outcome[], clients: InstalledClient[]): string {
  const outcomes = all.filter(({ scenario }) => scenario.part === part);
  const columns = clients.filter(({ name }) => outcomes.some(({ scenario }) => scenario.client.name === name));
  const rows = [...new Set(outcomes.map(({ scenario }) => scenario.name))];
  const cell = (row: string, column: InstalledClient) => {
    const found = outcomes.find(({ scenario }) => scenario.name === row && scenario.client.name === column.name);
    return found === undefined ? '' : found.result;
  };
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    `### ${part}`,
    '',
    line(['scenario', ...columns.map(({ name }) => name)]),
    line(['---', ...columns.map(() => '---')]),
    ...rows.map((row) => line([row, ...columns.map((column) => cell(row, column))])),
  ].join('\n');
}
