// What was measured, as a table that can go into README.md as it is.

import { type Bound, median, verdict } from './verdict.ts';

export type Row = Measured | { name: string; notRun: string };

interface Measured {
  name: string;
  unit: 's' | 'ms' | 'MB' | 'MB/s' | '% of the history';
  /** One value for each run. */
  ours: number[];
  /** Of a time on the clock: the CPU's part of it. On a busy machine the clock tells more of the others than of us. */
  cpu?: number[];
  /** What it is held against, run by run, in the same unit; the gate is about the ratios then. */
  against?: { name: string; theirs: number[]; ratios: number[] };
  /** Without one it is told, and no more. */
  gate?: Bound;
  goal?: Bound;
}

const HEAD = ['job', 'ours', 'against', 'ratio', 'gate', 'goal', 'verdict'];

export function table(rows: readonly Row[]): string {
  const cells = [HEAD, HEAD.map(() => '---'), ...rows.map(cellsOf)];
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cellsOf(row: Row): string[] {
  if ('notRun' in row) return [row.name, `not run: ${row.notRun}`, '', '', '', '', ''];
  const { name, unit, ours, cpu, against, gate, goal } = row;
  const judged = against?.ratios ?? ours;
  return [
    name,
    `${spread(ours, unit)} ${unit}${cpu === undefined ? '' : `; CPU ${spread(cpu, unit)}`}`,
    against === undefined ? '' : `${against.name}: ${spread(against.theirs, unit)} ${unit}`,
    against === undefined ? '' : spread(against.ratios, '×'),
    gate === undefined ? '' : boundText(gate),
    goal === undefined ? '' : `${boundText(goal)}: ${verdict(judged, goal)}`,
    gate === undefined ? '' : verdict(judged, gate),
  ];
}

function boundText({ value, at }: Bound): string {
  return `${at === 'most' ? '≤' : '≥'} ${value}`;
}

const DIGITS: Record<Measured['unit'] | '×', number> = { s: 2, ms: 1, MB: 0, 'MB/s': 0, '% of the history': 1, '×': 2 };

/** The median, and in brackets the least and the most. */
function spread(values: readonly number[], unit: keyof typeof DIGITS): string {
  const text = (value: number) => value.toFixed(DIGITS[unit]);
  return `${text(median(values))} (${text(Math.min(...values))} … ${text(Math.max(...values))})`;
}
