// Rows that agents would write, to one of a home's newest sessions after the other.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHome } from '../../dist/index.js';

export interface Appended {
  /** As documents name the file. */
  path: string;
  id: string;
  append(): void;
}

const ROWS = {
  'claude-code': (id: string, text: string, timestamp: string) => ({
    type: 'user',
    uuid: text,
    parentUuid: null,
    isSidechain: false,
    sessionId: id,
    message: { role: 'user', content: text },
    timestamp,
  }),
  codex: (_: string, message: string, timestamp: string) => ({
    timestamp,
    type: 'event_msg',
    payload: { type: 'user_message', message },
  }),
  gemini: (_: string, text: string, timestamp: string) => ({ id: text, timestamp, type: 'user', content: [{ text }] }),
};

/** Gives the next one to append to: agents take turns, and so do their sessions. */
export function appender(home: string): () => Appended {
  const families = openHome({ homes: [home] }).families;
  const byAgent = [...Map.groupBy(families, ({ agent }) => agent).values()];
  let count = 0;
  return () => {
    const mine = byAgent[count % byAgent.length] ?? [];
    const family = mine[(count * 7) % mine.length];
    const path = family?.files[0]?.path;
    if (family === undefined || path === undefined) throw new Error(`There is no session in ${home}.`);
    const row = ROWS[family.agent](family.id, `Go on ${count}`, new Date().toISOString());
    count++;
    return { path, id: family.id, append: () => appendFileSync(join(home, path), `${JSON.stringify(row)}\n`) };
  };
}
