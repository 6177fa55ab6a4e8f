// All that a store holds, by names that do not depend on the order in which it was written.

import type { DatabaseSync } from 'node:sqlite';
import {
  type HomePlaces,
  memoryStore,
  type Store,
  type UpdateOptions,
  type UpdateReport,
  updateStore,
} from '../src/index.ts';
import { PIECE, unpackOutline } from '../src/store/packed-outline.ts';
import { keysIn, unpackUsage } from '../src/store/packed-usage.ts';

/** With everything, and a price of a thousandth of a cent for each token. */
export const UPDATE: UpdateOptions = {
  tier: 2,
  workers: 1,
  prices: {
    version: 'test',
    load: async () => ({ costOf: (request) => request.usage.output_tokens / 100_000, tariffs: {} }),
  },
};

/** Brings a store up to date as commands do. */
export function update(store: Store, places: HomePlaces, tier: 0 | 1 | 2 = 2, workers = 1): Promise<UpdateReport> {
  return updateStore(store, places, { ...UPDATE, tier, workers });
}

/** What a store that is made now holds. */
export async function freshContent(places: HomePlaces, tier: 0 | 1 | 2 = 2): Promise<StoreContent> {
  const store = memoryStore();
  await update(store, places, tier);
  return contentOf(store);
}

export type StoreContent = ReturnType<typeof contentOf>;

export function contentOf(store: Store) {
  return {
    sessions: sessionsOf(store),
    sums: sumsOf(store),
    days: daysOf(store),
    held: heldIn(store),
    words: wordsOf(store),
    roots: rootsOf(store),
  };
}

function sessionsOf({ main }: Store) {
  const sessions = main
    .prepare(
      `select sessions.*, families.native_id as family_id, families.tier as tier, last_used, families.head as link_head
       from sessions join families on families.id = family order by sessions.native_id, family_id, position`,
    )
    .all();
  const events = main.prepare('select kind, timestamp, event from events where session = ? order by position');
  const usage = main.prepare('select rows, models from usage where session = ?');
  return sessions.map(({ id, family: _, ...session }) => {
    const packed = usage.get(Number(id)) as { rows: Uint8Array; models: string } | undefined;
    // Files that only tie sessions may grow without a reason to read these again: see withSizes.
    const head = String(session.head).replace(/("role":"companion","bytes":)\d+/g, '$1');
    return { ...session, head, events: events.all(Number(id)), usage: packed === undefined ? [] : unpackUsage(packed) };
  });
}

function sumsOf({ main }: Store) {
  return main
    .prepare(
      `select native_id, usage_sums.* from usage_sums join sessions on sessions.id = usage_sums.session
       order by native_id, day, model, requests, output_tokens, input_tokens`,
    )
    .all()
    .map(({ session: _, root: __, ...sum }) => sum);
}

/** Fractions that are added in another order differ in their last digits. */
function daysOf({ main }: Store) {
  return main
    .prepare(
      `select agent, usage_days.*, cast(round(cost * 1e8) as integer) as cost from usage_days join roots on roots.id = root
       order by agent, day, model`,
    )
    .all()
    .map(({ root: _, ...day }) => day);
}

/** Which sessions hold which requests. */
function heldIn({ main }: Store) {
  const name = main.prepare(
    "select sessions.native_id || ' ' || families.native_id as name from sessions join families on families.id = family where sessions.id = ?",
  );
  return main
    .prepare('select places from request_places')
    .all()
    .flatMap(({ places }) => {
      const pairs = [...keysIn(places as Uint8Array)];
      return pairs.flatMap((key, i) => (i % 2 === 0 ? [`${key} ${name.get(pairs[i + 1] ?? -1)?.name}`] : []));
    })
    .sort();
}

function rootsOf({ main }: Store) {
  return main.prepare('select agent, links from roots where id in (select root from families) order by agent').all();
}

/** Every word of every message, with its places; and where each message lies. */
export function wordsOf({ main, shards }: Store) {
  const sessions = new Map(
    main
      .prepare('select id, native_id from sessions')
      .all()
      .map(({ id, native_id }) => [Number(id), String(native_id)]),
  );
  return shards
    .flatMap((shard) => shardWords(shard, sessions))
    .map((words) => ({ words, key: `${words.message} ${JSON.stringify(words)}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ words }) => words);
}

function shardWords(shard: DatabaseSync, sessions: ReadonlyMap<number, string>) {
  const shapes = new Map(
    shard
      .prepare('select id, blocks from shapes')
      .all()
      .map(({ id, blocks }) => [Number(id), String(blocks)]),
  );
  const outlines = new Map(
    shard
      .prepare('select session, piece, messages, tools from outlines')
      .all()
      .map(({ session, piece, messages, tools }) => [
        `${session} ${piece}`,
        unpackOutline({ messages: messages as Uint8Array, tools: String(tools) }),
      ]),
  );
  const [prose, tools] = [instances(shard, 'prose'), instances(shard, 'tool_texts')];
  const runs = shard.prepare('select first, last, session, start from runs').all();
  return runs.flatMap(({ first, last, session, start }) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => {
      const id = Number(first) + i;
      const message = outlines.get(`${session} ${Math.floor((Number(start) + i) / PIECE)}`)?.[
        (Number(start) + i) % PIECE
      ];
      return {
        message: `${sessions.get(Number(session))} ${String(message?.position).padStart(6, '0')}`,
        ...message,
        shape: shapes.get(message?.shape ?? -1),
        prose: prose.get(id) ?? '',
        tool_text: tools.get(id) ?? '',
      };
    }),
  );
}

/** The words of each row of a word list, in their order. */
function instances(shard: DatabaseSync, table: string): Map<number, string> {
  shard.exec(`create virtual table if not exists temp.${table}_words using fts5vocab(main, ${table}, instance)`);
  const rows = shard.prepare(
    `select doc, group_concat(term, ' ' order by offset) as words from temp.${table}_words group by doc`,
  );
  return new Map(rows.all().map(({ doc, words }) => [Number(doc), String(words)]));
}
