// The change that an edit asked for, as unified diff. A refused edit leaves only its input: the
// text of the file is looked for in what the session read or wrote before.

import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk } from 'diff';
import type { Json } from '../../schema/blocks.ts';
import type { FileText } from '../../schema/outline.ts';
import { detailsOf, inputOf } from '../call-blocks.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../json-access.ts';
import type { DiffRequest, ProposedDiff } from '../source.ts';
import { creation, patch } from '../unified-diff.ts';

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
function originalIn(details: JsonObject | undefined): string | undefined {
  return stringAt(details, 'originalFile') ?? stringAt(details, 'originalFileContents');
}

function isWhole(read: JsonObject): boolean {
  return typeof read.content === 'string' && read.startLine === 1 && read.numLines === read.totalLines;
}

/** The text of the file after an edit or write. */
function textAfter(details: JsonObject | undefined): string | undefined {
  const content = stringAt(details, 'content');
  if (content !== undefined) return content;
  const original = originalIn(details);
  const edits = editsOf(details, ['oldString', 'newString', 'replaceAll']);
  return original === undefined || edits.length === 0 ? undefined : applied(original, edits);
}

export function proposedDiff(request: DiffRequest): ProposedDiff | null {
  const recorded = recordedDiff(request);
  if (recorded !== null) return recorded;
  const input = inputOf(request);
  if (!isObject(input)) return null;
  const path = stringAt(input, 'file_path') ?? stringAt(input, 'notebook_path');
  if (path === undefined) return null;
  const before = textBefore(request, path);
  if (request.name === 'Write') return writeDiff(path, before, stringAt(input, 'content') ?? '');
  if (request.name === 'NotebookEdit') {
    return { diff: patch(path, '', stringAt(input, 'new_source') ?? ''), diff_base: 'unknown' };
  }
  return editDiff(path, before, editsOf(input, ['old_string', 'new_string', 'replace_all']));
}

/** What the client recorded of a result beside its text. */
function detailsAt(request: DiffRequest, messageIndex: number): JsonObject | undefined {
  const result = request.content(messageIndex).find((block) => block.type === 'tool_result');
  return result?.type === 'tool_result' && isObject(result.details) ? result.details : undefined;
}

/** A change that was made: the client recorded its hunks. */
function recordedDiff(request: DiffRequest): ProposedDiff | null {
  const details = detailsOf(request);
  const path = stringAt(details, 'filePath');
  if (path === undefined) return null;
  if (holdsTabs(details)) {
    const [before, after] = [originalIn(details), textAfter(details)];
    return before === undefined || after === undefined ? null : { diff: patch(path, before, after), diff_base: 'file' };
  }
  const hunks = (listAt(details, 'structuredPatch') ?? []).filter(isHunk);
  if (hunks.length > 0) return { diff: joined(path, path, hunks), diff_base: 'file' };
  const created = details?.type === 'create' ? stringAt(details, 'content') : undefined;
  return created === undefined ? null : { diff: creation(path, created), diff_base: 'file' };
}

/** The client records its hunks as it shows them, with two blanks for a tab: they do not fit the file (wild: 257 of 445). */
function holdsTabs(details: JsonObject | undefined): boolean {
  const edits = editsOf(details, ['oldString', 'newString', 'replaceAll']).flatMap(({ from, to }) => [from, to]);
  const texts = [...edits, originalIn(details), stringAt(details, 'content')];
  return details?.type !== 'create' && texts.some((text) => text?.includes('\t') === true);
}

function isHunk(value: Json): value is StructuredPatchHunk & JsonObject {
  if (!isObject(value)) return false;
  const numbers = [value.oldStart, value.oldLines, value.newStart, value.newLines];
  const lines = listAt(value, 'lines') ?? [null];
  return numbers.every((n) => typeof n === 'number') && lines.every((line) => typeof line === 'string');
}

function joined(from: string, to: string, hunks: StructuredPatchHunk[]): string {
  return `--- ${from}\n+++ ${to}\n${formatPatch({ oldFileName: from, newFileName: to, oldHeader: undefined, newHeader: undefined, hunks }, OMIT_HEADERS)}`;
}

/** The text of a file after the entry of `file_texts` at this place; undefined where it cannot be told. */
interface KnownText {
  at: number;
  text: string | undefined;
}

/** By session and path, the last that was asked for: edits are asked for one after the other, and each goes on from the one before. */
const knownTexts = new WeakMap<DiffRequest['outline'], Map<string, KnownText>>();

/**
 * The text of a file as last known before the call: read or written in the session, or copied by the client, with the edits made since;
 * undefined where one of these cannot be told.
 */
function textBefore(request: DiffRequest, path: string): string | undefined {
  const { outline, message_index: before } = request;
  const texts = knownTexts.get(outline) ?? new Map<string, KnownText>();
  knownTexts.set(outline, texts);
  const known = texts.get(path);
  const last = outline.file_texts.findLastIndex((entry) => entry.path === path && entry.message_index < before);
  if (last === -1) return undefined;
  const text = textAt(request, path, last, known);
  if (known === undefined || last > known.at) texts.set(path, { at: last, text });
  return text;
}

function textAt(request: DiffRequest, path: string, last: number, known: KnownText | undefined): string | undefined {
  const { file_texts } = request.outline;
  const since: Edit[][] = [];
  const withEdits = (text: string | undefined) =>
    text === undefined ? undefined : applied(text, since.toReversed().flat());
  for (let i = last; i >= 0; i--) {
    const { path: of, message_index, backup } = file_texts[i] as FileText; // asked for by its place in the list
    if (of !== path) continue;
    if (i === known?.at) return withEdits(known.text);
    const details = backup === null ? detailsAt(request, message_index) : undefined;
    const text = backup === null ? textIn(details) : backup === '' ? '' : request.file(backup);
    if (text !== undefined) return withEdits(text);
    if (backup !== null) continue;
    const edits = editsOf(details, ['oldString', 'newString', 'replaceAll']);
    if (edits.length === 0) return undefined;
    since.push(edits);
  }
  return undefined;
}

function textIn(details: JsonObject | undefined): string | undefined {
  return stringAt(objectAt(details, 'file'), 'content') ?? textAfter(details);
}

function writeDiff(path: string, before: string | undefined, content: string): ProposedDiff {
  // Without a text known before, the file may or may not have existed.
  return { diff: patch(path, before ?? '', content), diff_base: before === undefined ? 'unknown' : 'file' };
}

interface Edit {
  from: string;
  to: string;
  all: boolean;
}

function editDiff(path: string, before: string | undefined, edits: Edit[]): ProposedDiff | null {
  if (edits.length === 0) return null;
  const after = before === undefined ? undefined : applied(before, edits);
  if (before !== undefined && after !== undefined) return { diff: patch(path, before, after), diff_base: 'file' };
  // A fragment does not tell whether the file ends in a line feed.
  const fragments = edits.map((edit) =>
    patch(path, edit.from, edit.to).replaceAll('\\ No newline at end of file\n', ''),
  );
  return { diff: fragments.join(''), diff_base: 'fragment' };
}

/** Edit has one change, MultiEdit a list of them. */
function editsOf(input: JsonObject | undefined, [from, to, all]: [string, string, string]): Edit[] {
  const list = listAt(input, 'edits')?.filter(isObject) ?? (input === undefined ? [] : [input]);
  return list.flatMap((edit) => {
    const old = stringAt(edit, from) ?? stringAt(edit, 'old_string');
    const fresh = stringAt(edit, to) ?? stringAt(edit, 'new_string');
    const isAll = edit[all] === true || edit.replace_all === true;
    return old === undefined || fresh === undefined ? [] : [{ from: old, to: fresh, all: isAll }];
  });
}

/** The text after the edits; undefined where one of them does not fit, or fits in several places. */
function applied(text: string, edits: Edit[]): string | undefined {
  let result = text;
  for (const { from, to, all } of edits) {
    const first = result.indexOf(from);
    if (from === '' ? result !== '' : first === -1) return undefined;
    if (from !== '' && !all && result.indexOf(from, first + 1) !== -1) return undefined;
    // With a line that is taken out, the client takes out its line feed (wild: five edits).
    const taken = to === '' && from !== '' && !from.endsWith('\n') && result.includes(`${from}\n`) ? `${from}\n` : from;
    result = all ? result.replaceAll(taken, () => to) : result.replace(taken, () => to);
  }
  return result;
}
