// A report for spreadsheets (RFC 4180).

import type { UsageGroup, UsageReport } from '../schema/usage-report.ts';
import { printable } from './plain.ts';

const COLUMNS: [name: string, of: (group: UsageGroup) => string | number | null][] = [
  ['title', ({ title }) => title],
  ['agents', ({ agents }) => agents.join(' ')],
  ['models', ({ models }) => models.join(' ')],
  ['requests', ({ requests }) => requests],
  ['input_tokens', ({ input_tokens }) => input_tokens],
  ['cache_read_tokens', ({ cache_read_tokens }) => cache_read_tokens],
  ['cache_write_5m_tokens', ({ cache_write_5m_tokens }) => cache_write_5m_tokens],
  ['cache_write_1h_tokens', ({ cache_write_1h_tokens }) => cache_write_1h_tokens],
  ['output_tokens', ({ output_tokens }) => output_tokens],
  ['reasoning_tokens', ({ reasoning_tokens }) => reasoning_tokens],
  ['total_tokens', ({ total_tokens }) => total_tokens],
  ['web_searches', ({ web_searches }) => web_searches],
  ['cost_usd', ({ cost }) => cost],
  ['unpriced_requests', ({ unpriced_requests }) => unpriced_requests],
  ['estimated_requests', ({ estimated_requests }) => estimated_requests],
];

/** A heading, then a line for each group; no line of totals, which would be added once more. Nothing known is an empty cell. */
export function* usageCsv({ by, groups }: UsageReport): Generator<string> {
  yield line([by, ...COLUMNS.map(([name]) => name)]);
  for (const group of groups) yield line([group.name, ...COLUMNS.map(([, of]) => of(group))]);
}

function line(cells: (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = harmless(printable(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Titles and names come from files that anybody may have written: what a spreadsheet may run as a formula gets an apostrophe. */
function harmless(text: string): string {
  return /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
}
