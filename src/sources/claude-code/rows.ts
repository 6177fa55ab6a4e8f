// One native row → what it is in our words. Nothing here looks at other rows.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../json-access.ts';
import { timeIn } from '../times.ts';
import { attachmentRole } from './records.ts';
import { markerIn } from './signals.ts';

export function timeOf(row: JsonObject): string | null {
  return timeIn(row.timestamp);
}

/** Pointers to the first blocks of a row, made once. */
const FIRST_POINTERS = Array.from({ length: 16 }, (_, i) => `/message/content/${i}`);

/** The blocks of `message.content`, which is a string for typed prompts and a list elsewhere. */
export function blocksOf(row: JsonObject, ref: SourceRef): OutlineBlock[] {
  const content = isObject(row.message) ? row.message.content : undefined;
  const at = ref.pointer ?? '';
  // A prompt too long to read along is an object here: see skim.ts.
  if (typeof content === 'string' || isObject(content)) {
    return [outlineBlock('text', ref, at === '' ? '/message/content' : `${at}/message/content`)];
  }
  if (!Array.isArray(content)) return [];
  // A list that grows has room for seventeen, and nearly every row has one block.
  return content.map((block, i) =>
    blockOf(block, ref, (at === '' ? FIRST_POINTERS[i] : undefined) ?? `${at}/message/content/${i}`, row),
  );
}

function blockOf(block: Json, ref: SourceRef, pointer: string, row: JsonObject): OutlineBlock {
  if (typeof block === 'string') return outlineBlock('text', ref, pointer);
  if (!isObject(block)) return outlineBlock('unknown', ref, pointer);
  switch (block.type) {
    case 'text':
      return outlineBlock('text', ref, pointer);
    case 'thinking':
    case 'redacted_thinking':
      return outlineBlock('thinking', ref, pointer);
    case 'tool_use':
    case 'server_tool_use':
      return outlineBlock('tool_use', ref, pointer, stringAt(block, 'id') ?? null, stringAt(block, 'name') ?? '');
    case 'tool_result':
      return outlineBlock('tool_result', ref, pointer, resultId(block, row) ?? null);
    case 'image':
      return outlineBlock('image', ref, pointer);
    case 'document':
      return outlineBlock('attachment', ref, pointer, null, 'document');
    default:
      return outlineBlock('unknown', ref, pointer);
  }
}

export function outlineBlock(
  type: OutlineBlock['type'],
  row: SourceRef,
  pointer: string,
  tool_use_id: string | null = null,
  name: string | null = null,
): OutlineBlock {
  return { type, row, pointer, tool_use_id, name };
}

/** Which call a result answers. A wild file has it only beside the message. */
export function resultId(block: JsonObject, row: JsonObject): string | undefined {
  return stringAt(block, 'tool_use_id') ?? stringAt(row, 'sourceToolUseID');
}

/** The words of a message's own text blocks; of a string content, the string. */
export function textOf(row: JsonObject): string {
  const content = isObject(row.message) ? row.message.content : undefined;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  let text = '';
  // By their places, here and below: these are asked of every row, and a loop over values takes three times as long.
  for (let i = 0; i < content.length; i++) {
    const block = content[i];
    if (isObject(block) && block.type === 'text') text += stringAt(block, 'text') ?? '';
  }
  return text;
}

/** How much a row says, in characters and blocks: a copy of it says as much. */
export function sizeOf(row: JsonObject): number {
  const content = isObject(row.message) ? row.message.content : row.content;
  if (typeof content === 'string') return content.length;
  if (!Array.isArray(content)) return 0;
  let size = 0;
  for (let i = 0; i < content.length; i++) {
    const block = content[i];
    size += isObject(block) ? 1 + sizeOfBlock(block) : 1;
  }
  return size;
}

function sizeOfBlock(block: JsonObject): number {
  const { text, thinking, content } = block;
  if (typeof text === 'string') return text.length;
  if (typeof thinking === 'string') return thinking.length;
  if (typeof content === 'string') return content.length;
  return Array.isArray(content) ? resultText(block).length : 0;
}

/** What an editor puts before the words that were typed in it. */
const FROM_EDITOR = ['<ide_opened_file>', '<ide_selection>'];

/** The same without what an editor put in, where there is more than that. */
export function typedText(row: JsonObject): string {
  const content = isObject(row.message) ? row.message.content : undefined;
  const texts = Array.isArray(content)
    ? content.map((block) => (isObject(block) ? (stringAt(block, 'text') ?? '') : ''))
    : [];
  return texts.filter((text) => !startsWithAny(text, FROM_EDITOR)).join('') || textOf(row);
}

/** The words of a tool result, whose content is a string or a list of parts. */
export function resultText(block: JsonObject): string {
  const content = block.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) ? (stringAt(part, 'text') ?? '') : '')).join('\n');
}

const NO_RESULTS: JsonObject[] = [];

export function resultsIn(row: JsonObject): JsonObject[] {
  const content = isObject(row.message) ? row.message.content : undefined;
  if (!Array.isArray(content)) return NO_RESULTS;
  // Nearly every row has one block.
  if (content.length === 1) return isResult(content[0]) ? [content[0]] : NO_RESULTS;
  return content.filter(isResult);
}

function isResult(block: Json | undefined): block is JsonObject {
  return isObject(block) && block.type === 'tool_result';
}

type Kind = Pick<OutlineMessage, 'kind' | 'starts_turn'>;

// Injected text that older versions mark by nothing but its beginning.
const COMMAND = ['<command-name>', '<command-message>', '<local-command-stdout>', '<local-command-stderr>'];
const SHELL = ['<bash-input>', '<bash-stdout>', '<bash-stderr>'];
const NOTIFICATION = ['<task-notification>', '<bash-notification>', '<agent-notification>'];
const CAVEAT = [
  '<local-command-caveat>',
  'Caveat: The messages below were generated by the user while running local commands.',
];
const INJECTED = [...CAVEAT, '<system-reminder>'];

/** What a user row is. `string` content is no sign: typed prompts are strings in every version. */
export function userKind(row: JsonObject, results: JsonObject[], text: string): Kind {
  if (results.length > 0) return { kind: 'tool_result', starts_turn: null };
  if (row.isCompactSummary === true) return { kind: 'summary', starts_turn: null };
  if (isTyped(row)) return promptOf(row);
  if (markerIn(text) !== undefined) return { kind: 'interruption', starts_turn: null };
  if (startsWithAny(text, NOTIFICATION) || stringAt(objectAt(row, 'origin'), 'kind') === 'task-notification') {
    return { kind: 'meta', starts_turn: 'notification' };
  }
  if (startsWithAny(text, INJECTED)) return { kind: 'meta', starts_turn: null };
  if (startsWithAny(text, COMMAND)) {
    // The row that names the command; its output stands in a row of its own.
    const named = startsWithAny(text, COMMAND.slice(0, 2));
    return { kind: 'command', starts_turn: named ? 'command' : null };
  }
  if (startsWithAny(text, SHELL)) {
    return { kind: 'command', starts_turn: text.startsWith('<bash-input>') ? 'command' : null };
  }
  return row.isMeta === true ? { kind: 'meta', starts_turn: null } : promptOf(row);
}

function promptOf(row: JsonObject): Kind {
  if (stringAt(row, 'promptSource') === 'queued') return { kind: 'prompt', starts_turn: 'queue' };
  return { kind: 'prompt', starts_turn: row.isSidechain === true ? 'agent' : 'user' };
}

/** The client says that a person wrote it (2.1.3xx): whatever it begins with. No row that the client makes says so (48 of 48 in recordings and the wild). */
export function isTyped(row: JsonObject): boolean {
  return row.origin !== undefined && row.isMeta !== true && stringAt(objectAt(row, 'origin'), 'kind') === 'human';
}

/**
 * What stands before commands that the person ran. Clients of 1.0.x make one such row in a process and write it again wherever
 * another command is run: with its old time, in other sessions too, and commands hang on it from anywhere (1.0.43, 1.0.55, wild).
 */
export function isCaveat(row: JsonObject): boolean {
  return row.isMeta === true && startsWithAny(textOf(row), CAVEAT);
}

/** A caveat that is so much older than what follows it was written again. */
const WRITTEN_AGAIN_MS = 60_000;

/** When it began: a session that begins with a caveat, at its time, unless that is of another session. */
export function begunAt(caveat: string | null, next: string | null): string | null {
  if (caveat === null || next === null) return caveat ?? next;
  return Date.parse(next) - Date.parse(caveat) > WRITTEN_AGAIN_MS ? next : caveat;
}

function startsWithAny(text: string, starts: string[]): boolean {
  return starts.some((start) => text.startsWith(start));
}

/** What a row that runs a slash command begins with. The name of a command that the person wrote stands behind its message. */
const COMMAND_NAME = /^\s*(?:<command-message>[^<]*<\/command-message>\s*)?<command-name>\/?([^<]+)<\/command-name>/;

/** The slash command that a row runs, without the slash: `compact`. Output may quote others. */
export function commandName(text: string): string | undefined {
  return COMMAND_NAME.exec(text)?.[1]?.trim();
}

/** The same of commands that the client has itself: `clear`. */
export function ownCommandName(text: string): string | undefined {
  return text.startsWith('<command-name>') ? commandName(text) : undefined;
}

export function commandArguments(text: string): string | null {
  return /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() || null;
}

/** An attachment that is a message: its one block, and whose side it was rendered for. */
export function attachmentMessage(
  row: JsonObject,
  ref: SourceRef,
): Pick<OutlineMessage, 'role' | 'blocks' | 'kind' | 'extra'> {
  const pointer = `${ref.pointer ?? ''}/attachment`;
  const blocks = [outlineBlock('attachment', ref, pointer, null, stringAt(objectAt(row, 'attachment'), 'type') ?? '')];
  // Words taken in mid-turn: rendered for the system's side, but sent in the user's message (recording i_misc line 44).
  if (attachmentRole(row) === 'prompt') {
    const sent_as = renderedText(row);
    return { role: 'user', blocks, kind: 'prompt', extra: sent_as === null ? {} : { sent_as } };
  }
  const role = stringAt(row, 'renderedRole') === 'system' ? 'system' : 'user';
  return { role, blocks, kind: 'meta', extra: {} };
}

/** What the client made of an attachment for the model, where it records that (2.1.3xx). */
export function renderedText(row: JsonObject): string | null {
  const rendered = listAt(row, 'rendered');
  if (rendered === undefined) return null;
  const texts = rendered.flatMap((part) => {
    const content = isObject(part) ? part.content : part;
    if (typeof content === 'string') return [content];
    return Array.isArray(content)
      ? content.map((block) => (isObject(block) ? (stringAt(block, 'text') ?? '') : ''))
      : [];
  });
  return texts.join('\n');
}

/** Interactive forks (2.1.20 on) say of each row where it was copied from; `-p` forks do not: see links.ts. */
export function inheritedFrom(row: JsonObject, uuid: string | undefined): OutlineMessage['inherited'] {
  if (row.forkedFrom === undefined) return null;
  const from = objectAt(row, 'forkedFrom');
  const session_id = stringAt(from, 'sessionId');
  return session_id === undefined ? null : { session_id, id: stringAt(from, 'messageUuid') ?? uuid ?? '' };
}
