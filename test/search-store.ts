// Stores for tests of the search, made by hand in memory.

import { DatabaseSync } from 'node:sqlite';
import { MESSAGE_KINDS } from '../src/schema/words.ts';
import type { Store } from '../src/store/open.ts';
import type { SessionWords } from '../src/store/rows.ts';
import { MAIN_TABLES, SESSIONS_PER_FAMILY, SHARD_TABLES } from '../src/store/tables.ts';
import { WordWriter } from '../src/store/write-words.ts';

export interface MadeMessage {
  kind?: (typeof MESSAGE_KINDS)[number];
  /** Minutes after the beginning of 2026, UTC; null for none. */
  at?: number | null;
  said?: string;
  tools?: string;
  tool_text?: string;
  /** Bytes of its row. */
  bytes?: number;
}

export interface MadeSession {
  id: string;
  agent?: string;
  kind?: string;
  title?: string | null;
  project?: string | null;
  root?: number;
  /** Its number in the store; where nothing is said, they rise in the order of writing. */
  family?: number;
  tier?: 1 | 2;
  kept?: boolean;
  events?: string[];
  presence?: [number, number, string][];
  messages: MadeMessage[];
}

export const START = Date.UTC(2026, 0, 1);

/** Sessions in the order in which they are written, each a family of its own, the first in the first shard, the next in the next. */
export function madeStore(sessions: readonly MadeSession[], shardCount = 2): Store {
  const main = new DatabaseSync(':memory:');
  main.exec(MAIN_TABLES);
  const shards = Array.from({ length: shardCount }, () => new DatabaseSync(':memory:'));
  for (const shard of shards) shard.exec(SHARD_TABLES);
  const writers = shards.map((shard) => new WordWriter(shard));
  sessions.forEach((session, i) => {
    const [family, shard] = [session.family ?? i + 1, i % shardCount];
    putSession(main, session, family, shard);
    writers[shard]?.write(
      family,
      family,
      [words(session.messages, family * SESSIONS_PER_FAMILY, null)],
      session.tier ?? 2,
    );
  });
  for (const writer of writers) writer.commit();
  return { folder: null, main, shards, close: () => {} };
}

export function words(made: readonly MadeMessage[], session: number, had: SessionWords['had']): SessionWords {
  return {
    session,
    had,
    messages: made.map(({ kind = 'prompt', at = 0, tools, bytes: length = 100 }, position) => ({
      position,
      kind: MESSAGE_KINDS.indexOf(kind),
      time: at === null ? null : START + at * 60_000,
      places: [{ file: 0, line: position + 1, offset: position * 1000, length }],
      shape: '[1]',
      tools: tools === undefined ? null : ` ${tools} `,
    })),
    text: (position) => ({ prose: made[position]?.said ?? '', tool_text: made[position]?.tool_text ?? '' }),
  };
}

function putSession(main: DatabaseSync, session: MadeSession, family: number, shard: number): void {
  const { id, agent = 'claude-code', kind = 'main', title = null, project = null, root = 1, tier = 2 } = session;
  const path = `.claude/projects/demo/${id}.jsonl`;
  const put = (table: string, row: Record<string, string | number | null>) =>
    main
      .prepare(
        `insert or ignore into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
          .map(() => '?')
          .join(', ')})`,
      )
      .run(...Object.values(row));
  put('roots', { id: root, agent, folder: `/home/${root}`, links: '' });
  put('files', { root, path, bytes: 0, modified_ms: 0, kept: session.kept === true ? 1 : 0, ends: '' });
  put('families', { id: family, root, native_id: id, tier, shard, stamp: family, fingerprint: '', links: '' });
  put('family_files', { family, position: 0, path, role: 'main' });
  put('sessions', {
    ...{ id: family * SESSIONS_PER_FAMILY, family, position: 0, native_id: id, agent, kind, title, project },
    ...{ messages: session.messages.length, head: '{}', paths: JSON.stringify([path]) },
    ...{ presence: JSON.stringify(session.presence ?? []), calls: '[]', diagnostics: '[]' },
  });
  session.events?.forEach((event, position) => {
    put('events', { session: family * SESSIONS_PER_FAMILY, position, kind: event, event: '{}' });
  });
}
