// Tokens of Claude Code files, counted apart from the reader: the last record of each message.id.
// Shares no code with src.

import { readFileSync } from 'node:fs';

interface Row {
  type?: string;
  uuid?: string;
  message?: { id?: string; model?: string; usage?: Record<string, number> };
  data?: { type?: string; message?: Row };
}

export function usageByHand(paths: string[]) {
  const last = new Map<string, Record<string, number>>();
  const take = (row: Row | undefined) => {
    const message = row?.message;
    if (row?.type !== 'assistant' || !message?.usage || message.model === '<synthetic>') return;
    last.set(message.id ?? row.uuid ?? '', message.usage);
  };
  const lines = paths.flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  // Two objects on one line happen in real files.
  for (const part of lines.flatMap((line) => line.replace(/\}\{"/g, '}\n{"').split('\n'))) {
    try {
      const row = JSON.parse(part) as Row;
      take(row);
      if (row.data?.type === 'agent_progress') take(row.data.message);
    } catch {}
  }
  const sum = (key: string) => [...last.values()].reduce((total, usage) => total + (usage[key] ?? 0), 0);
  return {
    input: sum('input_tokens'),
    cacheRead: sum('cache_read_input_tokens'),
    cacheWrite: sum('cache_creation_input_tokens'),
    output: sum('output_tokens'),
  };
}
