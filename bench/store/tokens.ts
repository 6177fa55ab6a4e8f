// Sums of tokens, from whoever tells them, in one form; and the truth beside a corpus.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

export interface Tokens {
  input: number;
  cache_read: number;
  cache_write: number;
  output: number;
}

/** Who says so, and what. */
export type Told = readonly [who: string, tokens: Tokens];

/** What is written beside a corpus by the one who made it; null where nothing is. */
export function truthOf(folder: string): Tokens | null {
  const [ours, manifest] = [join(folder, 'TRUTH.json'), join(folder, 'MANIFEST.json')];
  if (existsSync(ours)) return fromReport(JSON.parse(readFileSync(ours, 'utf8')).usage);
  return existsSync(manifest) ? fromManifest(JSON.parse(readFileSync(manifest, 'utf8'))) : null;
}

interface Manifest {
  claude?: { tokens?: Record<string, { input: number; output: number; cacheWrite: number; cacheRead: number }> };
  codex?: { tokens?: { input: number; cached: number; output: number } };
}

/** Codex's input has what came from the cache in it. */
function fromManifest({ claude, codex }: Manifest): Tokens {
  const { input = 0, cached = 0, output = 0 } = codex?.tokens ?? {};
  const sum: Tokens = { input: input - cached, cache_read: cached, cache_write: 0, output };
  for (const model of Object.values(claude?.tokens ?? {})) {
    sum.input += model.input;
    sum.cache_read += model.cacheRead;
    sum.cache_write += model.cacheWrite;
    sum.output += model.output;
  }
  return sum;
}

/** As our reports and TRUTH.json name them. */
export interface ReportTotals {
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_5m_tokens: number;
  cache_write_1h_tokens: number;
  output_tokens: number;
}

export function fromReport(totals: ReportTotals): Tokens {
  return {
    input: totals.input_tokens,
    cache_read: totals.cache_read_tokens,
    cache_write: totals.cache_write_5m_tokens + totals.cache_write_1h_tokens,
    output: totals.output_tokens,
  };
}

/** What `pal usage --json` prints. */
export function fromPal(stdout: string): Tokens {
  return fromReport(JSON.parse(stdout).value.totals);
}

/** What `ccusage daily --json` prints. */
export function fromCcusage(stdout: string): Tokens {
  const { totals } = JSON.parse(stdout);
  return {
    input: totals.inputTokens,
    cache_read: totals.cacheReadTokens,
    cache_write: totals.cacheCreationTokens,
    output: totals.outputTokens,
  };
}

export function tokenTable(told: readonly Told[]): string {
  const cells = [
    ['tokens', 'input', 'from cache', 'into cache', 'output'],
    ['---', '---', '---', '---', '---'],
    ...told.map(([who, tokens]) => [who, ...Object.values(tokens).map(String)]),
  ];
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** To the token: what differs from the first, told in a sentence and a table; null where nothing does. */
export function difference(told: readonly Told[]): string | null {
  const [[first, truth] = ['', undefined], ...others] = told;
  const wrong = others.filter(([, tokens]) => !isDeepStrictEqual(tokens, truth)).map(([who]) => who);
  if (wrong.length === 0) return null;
  return `WRONG TOKENS: those of ${first} differ from those of ${wrong.join(', ')}.\n${tokenTable(told)}`;
}
