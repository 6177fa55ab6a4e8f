// Tokens of Codex files, counted apart from the reader: one `token_usage_record` per response, or, before those were
// written, `last_token_usage` whenever the total moved. Shares no code with src.

import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';

type Counts = Record<string, number>;
interface Row {
  type?: string;
  ordinal?: number;
  payload?: {
    type?: string;
    id?: string;
    forked_from_id?: string;
    subagent_history_start_ordinal?: number;
    response_id?: string;
    usage?: Counts;
    info?: { total_token_usage?: Counts; last_token_usage?: Counts } | null;
  };
}

export function codexUsageByHand(paths: string[]) {
  const sum: Counts = {};
  const add = (usage: Counts | undefined) => {
    for (const [key, count] of Object.entries(usage ?? {})) sum[key] = (sum[key] ?? 0) + count;
  };
  const seen = new Set<string>();
  for (const path of paths) {
    const bytes = readFileSync(path);
    const text = (path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8');
    const rows = text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as Row];
      } catch {
        return [];
      }
    });
    const start = rows[0]?.payload?.subagent_history_start_ordinal ?? 0;
    // A file that begins with a copy of its parent: a second first line. What was copied was counted there.
    const isCopy = rows[1]?.type === 'session_meta' && start === 0;
    const copied = isCopy ? rows.findLastIndex((row) => timeOf(row) - timeOf(rows[0]) < 1000) : -1;
    let total = '{}';
    let records = 0;
    rows.forEach((row, i) => {
      const own = i > copied && (row.ordinal ?? start) >= start;
      if (row.type === 'token_usage_record') {
        const id = row.payload?.response_id ?? `${path}:${i}`;
        if (own && !seen.has(id)) add(row.payload?.usage);
        seen.add(id);
        records++;
      }
      const info = row.payload?.type === 'token_count' ? row.payload.info : undefined;
      if (!info?.total_token_usage || JSON.stringify(info.total_token_usage) === total) return;
      total = JSON.stringify(info.total_token_usage);
      if (own && records === 0) add(info.last_token_usage);
      records = 0;
    });
  }
  const of = (key: string) => sum[key] ?? 0;
  return {
    input: of('input_tokens') - of('cached_input_tokens') - of('cache_write_input_tokens'),
    cacheRead: of('cached_input_tokens'),
    cacheWrite: of('cache_write_input_tokens'),
    output: of('output_tokens'),
  };
}

function timeOf(row: unknown): number {
  return Date.parse((row as { timestamp?: string } | undefined)?.timestamp ?? '');
}
