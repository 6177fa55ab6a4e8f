// Tokens of Gemini files, counted apart from the reader: the tokens of each message id, once. Shares no code with src.

import { readFileSync } from 'node:fs';

interface Row {
  id?: string;
  type?: string;
  tokens?: Record<string, number> | null;
  messages?: Row[];
  sessionId?: string;
}

export function geminiUsageByHand(paths: string[]) {
  const seen = new Map<string, Record<string, number>>();
  for (const path of paths) {
    const text = readFileSync(path, 'utf8');
    const rows = wholeOrLines(text).flatMap((row) => [row, ...(row.messages ?? [])]);
    const session = rows.find((row) => row.sessionId !== undefined)?.sessionId ?? path;
    for (const { id, type, tokens } of rows) {
      const key = `${session} ${id}`;
      if (id !== undefined && type === 'gemini' && tokens && !seen.has(key)) seen.set(key, tokens);
    }
  }
  const sum = (...keys: string[]) =>
    [...seen.values()].reduce((total, tokens) => total + keys.reduce((part, key) => part + (tokens[key] ?? 0), 0), 0);
  return {
    input: sum('input', 'tool') - sum('cached'),
    cacheRead: sum('cached'),
    cacheWrite: 0,
    output: sum('output', 'thoughts'),
  };
}

function wholeOrLines(text: string): Row[] {
  try {
    return [JSON.parse(text) as Row];
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as Row];
      } catch {
        return [];
      }
    });
  }
}
