// One line of the log, or one message of a legacy document → what it says. Of long text only enough is kept to know it again.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock } from '../../schema/outline.ts';
import { hashOf } from '../../schema/text-hash.ts';
import { interned } from '../interned.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../json-access.ts';
import { timeIn } from '../times.ts';
import { exitCodeIn, planFeedback, SNAPSHOT, STOPPED_BY_USER } from './signals.ts';

interface Place {
  native_type: string;
  ref: SourceRef;
  time: string | null;
}

export interface Call {
  id: string;
  name: string;
  status: string;
  /** What the result says of itself: its error, or its output. */
  error: string | null;
  exit_code: number | null;
  /** The words with which a plan was sent back. */
  feedback: string | null;
  time: string | null;
  agent_id: string | null;
  has_diff: boolean;
  /** What a command had printed, where only the screen shows it. */
  printed: string | null;
  extra: JsonObject;
  pointer: string;
  has_result: boolean;
}

/** A message as one row tells it. */
export interface Told extends Place {
  what: 'message';
  id: string;
  type: string;
  /** Where it lies in its row: '' where it is the row. */
  pointer: string;
  blocks: OutlineBlock[];
  /** Its parts, each as something by which it is known again. */
  keys: readonly string[];
  calls: readonly Call[];
  /** Calls that its parts answer: results that were sent back stand on the user's side. */
  answers: readonly string[];
  text: string;
  /** Somewhere in what a context tells, of which `text` is only the beginning. */
  holds_snapshot: boolean;
  tokens: JsonObject | undefined;
  model: string | null;
  display: string | null;
}

export type Entry =
  | Told
  | (Place & { what: 'header'; header: JsonObject })
  | (Place & {
      what: 'context';
      /** What the first row of each item's id tells: contexts repeat one another. */
      told: Told[];
      /** The items' places in the list. */
      at: number[];
    })
  | (Place & { what: 'restart' })
  | (Place & { what: 'set'; set: JsonObject })
  | (Place & { what: 'rewind'; to: string })
  | (Place & { what: 'unknown' });

/** In the order in which the client itself tests a line. `known`: the first row of every id so far. */
export function entryFrom(value: Json, ref: SourceRef, known: ReadonlyMap<string, Told>): Entry {
  if (!isObject(value)) return { what: 'unknown', native_type: 'unknown', ref, time: null };
  const rewind = stringAt(value, '$rewindTo');
  if (rewind !== undefined) return { what: 'rewind', native_type: '$rewindTo', ref, time: null, to: rewind };
  if (typeof value.id === 'string') return toldFrom(value, ref, '');
  const set = objectAt(value, '$set');
  if (set !== undefined) return setFrom(set, ref, known);
  if (typeof value.sessionId === 'string')
    return { what: 'header', native_type: 'header', ref, time: timeIn(value.startTime), header: value };
  return { what: 'unknown', native_type: 'unknown', ref, time: null };
}

function setFrom(set: JsonObject, ref: SourceRef, known: ReadonlyMap<string, Told>): Entry {
  const time = timeIn(set.lastUpdated);
  const messages = listAt(set, 'messages');
  if (messages !== undefined) {
    const told: Told[] = [];
    const at: number[] = [];
    messages.forEach((message, i) => {
      if (!isObject(message) || typeof message.id !== 'string') return;
      told.push(known.get(message.id) ?? toldFrom(message, ref, `/$set/messages/${i}`));
      at.push(i);
    });
    return { what: 'context', native_type: '$set/messages', ref, time, told, at };
  }
  const [key = ''] = Object.keys(set);
  if (key === 'sessionId') return { what: 'restart', native_type: '$set/sessionId', ref, time };
  return { what: 'set', native_type: interned(`$set/${key}`), ref, time, set };
}

/** An item of a context, in its place there. */
export function itemOf(context: Extract<Entry, { what: 'context' }>, item: number, told: Told): Told {
  return { ...told, ref: context.ref, pointer: `/$set/messages/${context.at[item]}` };
}

const TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning']);
const SETTINGS = new Set([
  'lastUpdated',
  'summary',
  'memoryScratchpad',
  'directories',
  'kind',
  'userMessageCount',
  'hasResumableContent',
]);

export function isKnown(entry: Entry): boolean {
  if (entry.what === 'message') return TYPES.has(entry.type);
  if (entry.what === 'set') return SETTINGS.has(entry.native_type.slice('$set/'.length));
  return entry.what !== 'unknown';
}

export function toldFrom(message: JsonObject, ref: SourceRef, pointer: string): Told {
  const type = stringAt(message, 'type') ?? '';
  const calls = (listAt(message, 'toolCalls') ?? []).flatMap((call, i) =>
    isObject(call) ? [callFrom(call, i, stringAt(message, 'id') ?? '')] : [],
  );
  const parts = partsOf(message, ref, pointer, calls);
  const isItem = pointer.startsWith('/$set');
  return {
    what: 'message',
    native_type: interned(`message/${type}`),
    ref,
    pointer,
    time: timeIn(message.timestamp),
    id: stringAt(message, 'id') ?? '',
    type,
    blocks: [...tight(parts.map(({ block }) => block))],
    keys: tight(parts.map(({ key }) => key)),
    answers: tight(parts.map(({ answers }) => answers)),
    calls: tight(calls),
    text: short(parts.map(({ text }) => text ?? '').join(''), type === 'gemini' || isItem ? 200 : 65_536) ?? '',
    holds_snapshot: isItem && type === 'user' && parts.some(({ text }) => text?.includes(SNAPSHOT)),
    tokens: objectAt(message, 'tokens'),
    model: stringAt(message, 'model') ?? null,
    display: displayOf(message.displayContent),
  };
}

const NONE: readonly never[] = Object.freeze([]);

/** What is there, in no more room than it needs: hundreds of thousands of rows are held. */
function tight<Item>(items: readonly (Item | undefined)[]): readonly Item[] {
  const there = items.filter((item) => item !== undefined);
  return there.length === 0 ? NONE : there.slice();
}

/** What the person typed, where what was sent holds more: the files that were named in it. A string, a part, or a list of either, as content is. */
function displayOf(display: Json | undefined): string | null {
  if (display === undefined || display === null) return null;
  const parts = Array.isArray(display) ? display : [display];
  const texts = parts.map((part) => (typeof part === 'string' ? part : stringAt(isObject(part) ? part : {}, 'text')));
  return texts.every((text) => text === undefined) ? null : texts.join('');
}

interface Part {
  block?: OutlineBlock;
  key?: string;
  text?: string;
  answers?: string;
}

/** Thoughts, then content, which is a string, a part, or a list of either, then calls. */
function partsOf(message: JsonObject, ref: SourceRef, pointer: string, calls: Call[]): Part[] {
  const block = (
    type: OutlineBlock['type'],
    at: string,
    tool_use_id: string | null = null,
    name: string | null = null,
  ): OutlineBlock => ({
    type,
    row: ref,
    pointer: pointer === '' ? interned(at) : `${pointer}${at}`,
    tool_use_id,
    name,
  });
  const thoughts = (listAt(message, 'thoughts') ?? []).map(
    (_, i): Part => ({ block: block('thinking', `/thoughts/${i}`) }),
  );
  const known = new Set(calls.map((call) => call.id));
  const { content } = message;
  // The same words from the other side are another message.
  const side = message.type === 'gemini' ? 'm' : 'u';
  const list = Array.isArray(content) ? content : [content ?? null];
  const told = list.flatMap((part, i): Part[] => {
    const at = Array.isArray(content) ? `/content/${i}` : '/content';
    if (typeof part === 'string')
      return part === '' ? [] : [{ block: block('text', at), key: keyOf(side, part), text: part }];
    if (!isObject(part)) return [];
    if (typeof part.text === 'string') {
      if (part.thought === true) return [{ block: block('thinking', at) }];
      return part.text === '' ? [] : [{ block: block('text', at), key: keyOf(side, part.text), text: part.text }];
    }
    const asked = objectAt(part, 'functionCall');
    if (asked !== undefined) {
      const id = stringAt(asked, 'id') ?? '';
      const name = stringAt(asked, 'name') ?? '';
      const key = callKey(id, name, asked.args ?? null);
      return known.has(id) ? [] : [{ block: block('tool_use', at, id === '' ? null : id, name), key }];
    }
    const answer = objectAt(part, 'functionResponse');
    if (answer !== undefined) {
      const id = stringAt(answer, 'id') ?? '';
      return [
        {
          block: block('tool_result', at, id === '' ? null : id, stringAt(answer, 'name') ?? null),
          key: `r:${id}`,
          answers: id,
        },
      ];
    }
    if (isObject(part.inlineData) || isObject(part.fileData))
      return [{ block: block('image', at), key: keyOf('d', JSON.stringify(part)) }];
    return [{ block: block('unknown', at), key: keyOf('u', JSON.stringify(part)) }];
  });
  const asked = calls.map(
    (call): Part => ({
      block: block('tool_use', call.pointer, call.id === '' ? null : call.id, call.name),
      key: callKey(call.id, call.name, null),
    }),
  );
  return [...thoughts, ...told, ...asked];
}

function callKey(id: string, name: string, args: Json): string {
  return id === '' ? keyOf('c', `${name} ${JSON.stringify(args)}`) : `c:${id}`;
}

function keyOf(kind: string, text: string): string {
  return text.length <= 64 ? `${kind}:${text}` : `${kind}#${text.length} ${hashOf(text)}`;
}

/** A copy of the first part of a text: a cut one would hold the whole. */
function short(text: string | null, longest: number): string | null {
  return text === null || text.length <= longest ? text : Buffer.from(text.slice(0, longest)).toString('utf8');
}

function callFrom(call: JsonObject, i: number, message: string): Call {
  const result = listAt(call, 'result') ?? [];
  const responses = result.map((part) =>
    objectAt(objectAt(isObject(part) ? part : undefined, 'functionResponse'), 'response'),
  );
  const said = (key: string) =>
    responses.map((response) => stringAt(response, key)).find((text) => text !== undefined) ?? null;
  const name = stringAt(call, 'name') ?? '';
  const output = said('output');
  const shown = call.resultDisplay;
  return {
    id: stringAt(call, 'id') || `${message}#${i}`,
    name,
    status: stringAt(call, 'status') ?? '',
    error: short(said('error'), 4096),
    exit_code: exitCodeIn(output, name),
    feedback: name === 'exit_plan_mode' ? planFeedback(output) : null,
    time: timeIn(call.timestamp),
    agent_id: stringAt(call, 'agentId') ?? null,
    has_diff: isObject(shown) && typeof shown.fileDiff === 'string',
    // Everything that was ever printed is too much to hold: what a stopped command had printed is wanted.
    printed:
      call.status === 'cancelled'
        ? (gridText(shown) ?? (typeof shown === 'string' && shown !== '' && shown !== STOPPED_BY_USER ? shown : null))
        : null,
    extra: {
      ...(typeof call.displayName === 'string' ? { display_name: call.displayName } : {}),
      ...(typeof call.description === 'string' ? { description: call.description } : {}),
    },
    pointer: `/toolCalls/${i}`,
    has_result: result.length > 0,
  };
}

/** A screen of a command: lines of pieces with colours. */
export function gridText(shown: Json | undefined): string | null {
  if (!Array.isArray(shown) || !shown.every((line) => Array.isArray(line))) return null;
  const lines = shown.map((line) =>
    (line as Json[])
      .map((piece) => (isObject(piece) ? (stringAt(piece, 'text') ?? '') : ''))
      .join('')
      .trimEnd(),
  );
  return lines.join('\n').trimEnd() || null;
}
