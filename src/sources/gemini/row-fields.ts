// What decides on tokens in a line of a log: asked of the line that was last looked into. It says what rows.ts says of it, or nothing.

import type { Json } from '../../schema/blocks.ts';
import type { JsonObject } from '../json-access.ts';
import { Field, Fields } from '../json-fields.ts';
import { timeIn } from '../times.ts';
import { type Riches, richesIn } from './told.ts';

const id = new Field('id');
const type = new Field('type');
const timestamp = new Field('timestamp');
const model = new Field('model');
const tokens = new Field('tokens');
const content = new Field('content');
const thoughts = new Field('thoughts');
const calls = new Field('toolCalls');
const rewindTo = new Field('$rewindTo');
const messages = new Field('messages');
const context = new Field('messages');
const sessionId = new Field('sessionId');
const directories = new Field('directories');
const set = new Field('$set', [context, sessionId, directories]);
export const ROW = new Fields([id, type, timestamp, model, tokens, content, thoughts, calls, rewindTo, messages, set]);

// Of a call.
const status = new Field('status');
const result = new Field('result');
const CALL = new Fields([status, result]);

// Of an item of a context.
const itemId = new Field('id');
const itemType = new Field('type');
const itemTokens = new Field('tokens');
const ITEM = new Fields([itemId, itemType, itemTokens]);

/** A reply, as far as tokens hang on it. */
export interface ToldReply {
  id: string;
  time: string | null;
  model: string | null;
  tokens: JsonObject | undefined;
  riches: number;
  /** Nothing was said, and every call was stopped. */
  isStopped: boolean;
}

/** What was typed, what was sent back to the model, and notes. */
const OTHERS = ['user', 'info', 'error', 'warning'];

/** The id of a message that is no reply; undefined where it is anything else, or cannot be told. */
export function otherId(): string | undefined {
  if (rewindTo.isThere || tokens.isThere) return undefined;
  return OTHERS.some((name) => type.is(name)) ? id.text : undefined;
}

/** A reply whose words are a string, as nearly all are: where they come in parts the parts must be looked at. */
export function reply(): ToldReply | undefined {
  if (rewindTo.isThere || !type.is('gemini') || content.isList || content.isObject) return undefined;
  const given = id.text;
  if (given === undefined) return undefined;
  const told: ToldReply = {
    id: given,
    time: timeIn(timestamp.text),
    model: model.text ?? null,
    tokens: tokens.isObject ? (tokens.value as JsonObject) : undefined,
    riches: 0,
    isStopped: false,
  };
  const riches: Riches = {
    calls: 0,
    results: 0,
    hasTokens: told.tokens !== undefined,
    thoughts: thoughts.isList ? (thoughts.value as Json[]).length : 0,
    hasText: content.isText && !content.is(''),
  };
  let stopped = 0;
  calls.eachEntry(CALL, (isObject) => {
    if (!isObject) return;
    riches.calls++;
    if (result.isList && !result.isEmpty) riches.results++;
    if (status.is('cancelled')) stopped++;
  });
  told.riches = richesIn(riches);
  told.isStopped = isStopped(riches, stopped);
  return told;
}

export function isStopped({ calls, hasTokens, hasText }: Riches, stopped: number): boolean {
  return calls > 0 && stopped === calls && !hasTokens && !hasText;
}

/** The names of folders among settings that are told anew, null where there are none; undefined where the row is anything else. */
export function settings(): { directories: Json } | null | undefined {
  if (!isSet() || context.isList || sessionId.isThere) return undefined;
  return directories.isThere ? { directories: directories.value ?? null } : null;
}

/** What a context holds: of each message with an id what tokens hang on; undefined where the row is anything else. */
export function contextItems(): ContextItem[] | undefined {
  if (!isSet() || !context.isList) return undefined;
  const items: ContextItem[] = [];
  context.eachEntry(ITEM, () => {
    const given = itemId.text;
    if (given !== undefined) items.push({ id: given, isUser: itemType.is('user'), hasTokens: itemTokens.isObject });
  });
  return items;
}

export interface ContextItem {
  id: string;
  isUser: boolean;
  hasTokens: boolean;
}

function isSet(): boolean {
  return set.isObject && !rewindTo.isThere && !id.isText && !messages.isList;
}
