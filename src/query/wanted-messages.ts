// Which messages the filters of a query leave: by their session, and by what they are themselves.

import { MESSAGE_KINDS } from '../schema/words.ts';
import type { Store } from '../store/open.ts';
import type { SearchHit } from './search-hit.ts';
import type { SearchFilters, Wanted } from './search-query.ts';
import type { KnownMessage, MessageTest } from './shard-messages.ts';
import type { MessageText } from './snippet.ts';
import { rowsOf } from './statements.ts';

/** What was said, and what tools were given and gave: a message has two texts. */
export type WordTable = 'prose' | 'tool_texts';

/** For each of the two texts, the kinds of messages in which it is looked at. */
type Scope = Record<WordTable, ReadonlySet<number>>;

const ALL_KINDS = MESSAGE_KINDS.map((_, number) => number);
const META = MESSAGE_KINDS.indexOf('meta');
/** Messages with nothing said in them: what a tool gave, what the client put in. */
const UNSAID = [MESSAGE_KINDS.indexOf('tool_result'), META];

/**
 * `kind:tool` is what tools were given and gave, wherever it stands. Any other kind is what was said in such messages; with the
 * name of a tool, what that tool was given or gave in them.
 */
function scopeOf({ kind, tool }: SearchFilters): Scope {
  const named = kind.any.flatMap((name) => (name === 'tool' ? [] : [MESSAGE_KINDS.indexOf(name)]));
  const isAnyKind = kind.any.length === 0;
  const isToolNamed = tool.any.length > 0;
  const said = isToolNamed ? [] : isAnyKind ? ALL_KINDS : named;
  const given = [
    ...(isAnyKind ? ALL_KINDS : isToolNamed ? named : named.filter((one) => UNSAID.includes(one))),
    ...(kind.any.includes('tool') ? ALL_KINDS.filter((one) => one !== META) : []),
  ];
  const isLeft = (one: number) => kind.not.every((name) => name !== MESSAGE_KINDS[one]);
  return {
    prose: new Set(said.filter(isLeft)),
    tool_texts: new Set(given.filter((one) => isLeft(one) && (one === META || !kind.not.includes('tool')))),
  };
}

/** The texts of a message that the filters leave. */
export function textsInScope(
  filters: SearchFilters,
): (kind: SearchHit['kind'], texts: readonly MessageText[]) => MessageText[] {
  const scope = scopeOf(filters);
  return (kind, texts) => {
    const number = MESSAGE_KINDS.indexOf(kind);
    return texts.filter((text) => scope[tableOf(number, text.kind)].has(number));
  };
}

/** In which word list a block's text is. */
function tableOf(kind: number, block: MessageText['kind']): WordTable {
  return kind !== META && (block === 'text' || block === 'thinking') ? 'prose' : 'tool_texts';
}

export interface WantedWords {
  table: WordTable;
  isWanted: MessageTest;
  /** Whether the filters may leave out any of them, apart from those over sessions. */
  isFiltered: boolean;
}

/** The word lists that have anything to tell, and which of their messages are wanted. */
export function wordTables(filters: SearchFilters): WantedWords[] {
  const scope = scopeOf(filters);
  const { tool, since, until } = filters;
  const isAnyMessage = tool.any.length + tool.not.length === 0 && since === null && until === null;
  const isFit = messageTest(filters);
  return (['prose', 'tool_texts'] as const)
    .filter((table) => scope[table].size > 0)
    .map((table) => ({
      table,
      isWanted: (message) => scope[table].has(kindOf(message)) && isFit(message),
      isFiltered: !isAnyMessage || scope[table].size < ALL_KINDS.length,
    }));
}

/** Whether any of its texts is. What was said may be empty, but of tools there are texts only where there are tools. */
export function anyTextTest(filters: SearchFilters): MessageTest {
  const scope = scopeOf(filters);
  const isWanted = messageTest(filters);
  return (message) => {
    const kind = kindOf(message);
    const hasTools = () => message.outline.toolsOf(message.at) !== null || UNSAID.includes(kind);
    return (scope.prose.has(kind) || (scope.tool_texts.has(kind) && hasTools())) && isWanted(message);
  };
}

function kindOf({ outline, at }: KnownMessage): number {
  return outline.kinds[at] ?? -1;
}

function messageTest({ tool, since, until }: SearchFilters): MessageTest {
  const any = tool.any.map(toolTest);
  const not = tool.not.map(toolTest);
  return ({ outline, at }) => {
    const time = outline.times[at] ?? Number.NaN;
    // A message without a time is neither before nor after anything.
    if (since !== null && !(time >= since)) return false;
    if (until !== null && !(time < until)) return false;
    if (any.length + not.length === 0) return true;
    const tools = outline.toolsOf(at);
    return (any.length === 0 || any.some((test) => test(tools))) && !not.some((test) => test(tools));
  };
}

function toolTest(name: string): (tools: string | null) => boolean {
  const wanted = name.endsWith('*') ? ` ${name.slice(0, -1).toLowerCase()}` : ` ${name.toLowerCase()} `;
  return (tools) => tools?.toLowerCase().includes(wanted) === true;
}

export interface SessionOptions {
  /** Only sessions below these roots. */
  roots?: readonly number[] | undefined;
  /** Only these sessions, with their subagents: by their roots and ids. */
  families?: readonly (readonly [root: number, id: string])[] | undefined;
}

/** For each shard the sessions that the filters leave, as JSON; null where they exclude none. */
export function sessionsWanted(
  store: Store,
  filters: SearchFilters,
  { roots, families }: SessionOptions,
): string[] | null {
  const conditions: string[] = [];
  const values: string[] = [];
  const each = <Value extends string>({ any, not }: Wanted<Value>, test: Test<Value>) => {
    for (const [words, list] of [['', any] as const, ['not', not] as const]) {
      if (list.length === 0) continue;
      const tests = list.map(test);
      conditions.push(`${words} (${tests.map(([condition]) => condition).join(' or ')})`);
      values.push(...tests.flatMap(([, ...given]) => given));
    }
  };
  if (roots !== undefined && !areAll(store, roots)) {
    conditions.push('f.root in (select value from json_each(?))');
    values.push(JSON.stringify(roots));
  }
  if (families !== undefined) {
    conditions.push('(f.root, f.native_id) in (select value ->> 0, value ->> 1 from json_each(?))');
    values.push(JSON.stringify(families));
  }
  each(filters.agent, (agent) => ['s.agent = ?', agent]);
  each(filters.event, (kind) => ['s.id in (select session from events where kind = ?)', kind]);
  each(filters.session, (id) => ['substr(s.native_id, 1, length(?)) = ?', id, id]);
  each(filters.project, (given) => {
    // A folder's name does not end with a slash, but people's tools put one there.
    const project = given.length > 1 ? given.replace(/[/\\]+$/, '') : given;
    return [
      "(s.project is not null and (s.project = ? or substr(s.project, -length(?) - 1) in ('/' || ?, '\\' || ?)))",
      ...[project, project, project, project],
    ];
  });
  return conditions.length === 0 ? null : sessionsWhere(store, conditions, values);
}

/** A condition, and what is put into it. */
type Test<Value> = (value: Value) => [condition: string, ...values: string[]];

function areAll({ main }: Store, roots: readonly number[]): boolean {
  return rowsOf(main, 'select id from roots').every(([id]) => roots.includes(Number(id)));
}

/** All sessions whose words are whole: what a shard has counts only if both sides agree on it. */
export function wholeSessions(store: Store, wanted: string[] | null): string[] {
  const all = wanted ?? sessionsWhere(store, [], []);
  return all.map((sessions, shard) => {
    const database = store.shards[shard];
    const stamps = new Map(
      database === undefined ? [] : (rowsOf(database, 'select family, stamp from families') as [number, number][]),
    );
    const here = rowsOf(
      store.main,
      'select s.id, f.id, f.stamp from sessions s join families f on f.id = s.family where s.id in (select value from json_each(?))',
      sessions,
    );
    return JSON.stringify(here.filter(([, family, stamp]) => stamps.get(Number(family)) === stamp).map(([id]) => id));
  });
}

function sessionsWhere(store: Store, conditions: string[], values: string[]): string[] {
  const where = ['f.tier >= 1', ...conditions].join(' and ');
  const rows = rowsOf(
    store.main,
    `select f.shard, json_group_array(s.id) from sessions s join families f on f.id = s.family where ${where} group by f.shard`,
    ...values,
  );
  const byShard = new Map(rows.map(([shard, sessions]) => [shard, String(sessions)]));
  return store.shards.map((_, shard) => byShard.get(shard) ?? '[]');
}
