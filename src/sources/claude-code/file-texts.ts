// What a session knows of the texts of files: read or written in it, or copied by the client, with the edits made since.

import type { FileText } from '../../schema/outline.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../json-access.ts';
import type { DiffRequest } from '../source.ts';
import type { SameEnds } from '../unified-diff.ts';

/** The file whose whole text a result row holds, or that it tells was changed; undefined where it is neither. */
export function fileToldBy(row: JsonObject): string | undefined {
  const details = isObject(row.toolUseResult) ? row.toolUseResult : undefined;
  if (details === undefined) return undefined;
  const read = isObject(details.file) ? details.file : undefined;
  if (read !== undefined) return isWhole(read) ? stringAt(read, 'filePath') : undefined;
  const tells = typeof details.content === 'string' || originalIn(details) !== undefined || isEdit(details);
  return tells ? stringAt(details, 'filePath') : undefined;
}

/** An edit of which the client recorded no whole text (2.1.140 to 2.1.172, wild: 55 of 58) changes the file all the same. */
function isEdit(details: JsonObject): boolean {
  return Array.isArray(details.structuredPatch) && details.structuredPatch.length > 0;
}

/** The text before an edit; MultiEdit has another name for it. */
export function originalIn(details: JsonObject | undefined): string | undefined {
  return stringAt(details, 'originalFile') ?? stringAt(details, 'originalFileContents');
}

function isWhole(read: JsonObject): boolean {
  return typeof read.content === 'string' && read.startLine === 1 && read.numLines === read.totalLines;
}

/** The text of the file after an edit or write, and for edits how much of it they left as it was. */
export function afterChange(details: JsonObject | undefined): { text: string; same?: SameEnds } | undefined {
  const content = stringAt(details, 'content');
  if (content !== undefined) return { text: content };
  const original = originalIn(details);
  const edits = editsOf(details);
  return original === undefined || edits.length === 0 ? undefined : edited(original, edits);
}

/** What the client recorded of a result beside its text. */
function detailsAt(request: DiffRequest, messageIndex: number): JsonObject | undefined {
  const result = request.content(messageIndex).find((block) => block.type === 'tool_result');
  return result?.type === 'tool_result' && isObject(result.details) ? result.details : undefined;
}

/** What is told of one file, in order, and the text after one of these: the last that was asked for. */
interface FileHistory {
  told: FileText[];
  known: { at: number; text: string | undefined } | null;
}

/** By session and path: edits are asked for one after the other, and each goes on from the one before. */
const histories = new WeakMap<DiffRequest['outline'], Map<string, FileHistory>>();

/**
 * The text of a file as last known before the call: read or written in the session, or copied by the client, with the edits made since;
 * undefined where one of these cannot be told.
 */
export function textBefore(request: DiffRequest, path: string): string | undefined {
  const history = historiesIn(request.outline).get(path);
  const last = history?.told.findLastIndex((entry) => entry.message_index < request.message_index) ?? -1;
  if (history === undefined || last === -1) return undefined;
  const text = textAfterEntry(request, history, last);
  if (history.known === null || last > history.known.at) history.known = { at: last, text };
  return text;
}

/** Made once: a session of 300 MB tells of files 20,000 times, and its edits are as many. */
function historiesIn(outline: DiffRequest['outline']): Map<string, FileHistory> {
  const made = histories.get(outline);
  if (made !== undefined) return made;
  const byPath = new Map<string, FileHistory>();
  for (const entry of outline.file_texts) {
    const history = byPath.get(entry.path);
    if (history === undefined) byPath.set(entry.path, { told: [entry], known: null });
    else history.told.push(entry);
  }
  histories.set(outline, byPath);
  return byPath;
}

function textAfterEntry(request: DiffRequest, { told, known }: FileHistory, last: number): string | undefined {
  const since: Edit[][] = [];
  const withEdits = (text: string | undefined) =>
    text === undefined ? undefined : edited(text, since.toReversed().flat())?.text;
  for (let i = last; i >= 0; i--) {
    const { message_index, backup } = told[i] as FileText; // asked for by its place in the list
    if (i === known?.at) return withEdits(known.text);
    const details = backup === null ? detailsAt(request, message_index) : undefined;
    const text = backup === null ? textIn(details) : backup === '' ? '' : request.file(backup);
    if (text !== undefined) return withEdits(text);
    if (backup !== null) continue;
    const edits = editsOf(details);
    if (edits.length === 0) return undefined;
    since.push(edits);
  }
  return undefined;
}

function textIn(details: JsonObject | undefined): string | undefined {
  return stringAt(objectAt(details, 'file'), 'content') ?? afterChange(details)?.text;
}

export interface Edit {
  from: string;
  to: string;
  all: boolean;
}

/** Edit has one change, MultiEdit a list of them; results spell them otherwise than calls do. */
export function editsOf(told: JsonObject | undefined): Edit[] {
  const list = listAt(told, 'edits')?.filter(isObject) ?? (told === undefined ? [] : [told]);
  return list.flatMap((edit) => {
    const from = stringAt(edit, 'oldString') ?? stringAt(edit, 'old_string');
    const to = stringAt(edit, 'newString') ?? stringAt(edit, 'new_string');
    const all = edit.replaceAll === true || edit.replace_all === true;
    return from === undefined || to === undefined ? [] : [{ from, to, all }];
  });
}

/**
 * The text after the edits, and how much of the beginning and end none of them touched: what changed need not be looked for there.
 * Undefined where one of them does not fit, or fits in several places.
 */
export function edited(text: string, edits: Edit[]): { text: string; same: SameEnds } | undefined {
  let result = text;
  const same = { start: text.length, end: text.length };
  for (const { from, to, all } of edits) {
    const first = result.indexOf(from);
    if (from === '' ? result !== '' : first === -1) return undefined;
    if (from !== '' && !all && result.indexOf(from, first + 1) !== -1) return undefined;
    // With a line that is taken out, the client takes out its line feed (wild: five edits).
    const taken = to === '' && from !== '' && !from.endsWith('\n') && result.includes(`${from}\n`) ? `${from}\n` : from;
    const last = all ? result.lastIndexOf(taken) : first;
    same.start = Math.min(same.start, first);
    same.end = Math.min(same.end, result.length - last - taken.length);
    // One that fits in a single place has been found already.
    if (all || from === '') result = result.replaceAll(taken, () => to);
    else result = result.slice(0, first) + to + result.slice(first + taken.length);
  }
  return { text: result, same };
}
