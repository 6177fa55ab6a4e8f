// The change that an edit asked for, as unified diff. A refused edit leaves only its input: the
// text of the file is looked for in what the session knows (file-texts.ts).

import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk } from 'diff';
import type { Json } from '../../schema/blocks.ts';
import { detailsOf, inputOf } from '../call-blocks.ts';
import { isObject, type JsonObject, listAt, stringAt } from '../json-access.ts';
import type { DiffRequest, ProposedDiff } from '../source.ts';
import { creation, patch } from '../unified-diff.ts';
import { afterChange, type Edit, edited, editsOf, originalIn, textBefore } from './file-texts.ts';

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
  return editDiff(path, before, editsOf(input));
}

/** A change that was made: the client recorded its hunks. */
function recordedDiff(request: DiffRequest): ProposedDiff | null {
  const details = detailsOf(request);
  const path = stringAt(details, 'filePath');
  if (path === undefined) return null;
  if (holdsTabs(details)) {
    const [before, after] = [originalIn(details), afterChange(details)];
    if (before === undefined || after === undefined) return null;
    return { diff: patch(path, before, after.text, after.same), diff_base: 'file' };
  }
  const hunks = (listAt(details, 'structuredPatch') ?? []).filter(isHunk);
  if (hunks.length > 0) return { diff: joined(path, path, hunks), diff_base: 'file' };
  const created = details?.type === 'create' ? stringAt(details, 'content') : undefined;
  return created === undefined ? null : { diff: creation(path, created), diff_base: 'file' };
}

/** The client records its hunks as it shows them, with two blanks for a tab: they do not fit the file (wild: 257 of 445). */
function holdsTabs(details: JsonObject | undefined): boolean {
  const edits = editsOf(details).flatMap(({ from, to }) => [from, to]);
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

function writeDiff(path: string, before: string | undefined, content: string): ProposedDiff {
  // Without a text known before, the file may or may not have existed.
  return { diff: patch(path, before ?? '', content), diff_base: before === undefined ? 'unknown' : 'file' };
}

function editDiff(path: string, before: string | undefined, edits: Edit[]): ProposedDiff | null {
  if (edits.length === 0) return null;
  const after = before === undefined ? undefined : edited(before, edits);
  if (before !== undefined && after !== undefined)
    return { diff: patch(path, before, after.text, after.same), diff_base: 'file' };
  // A fragment does not tell whether the file ends in a line feed.
  const fragments = edits.map((edit) =>
    patch(path, edit.from, edit.to).replaceAll('\\ No newline at end of file\n', ''),
  );
  return { diff: fragments.join(''), diff_base: 'fragment' };
}
