// The change that an edit asked for. The client makes a diff to show it, and records it also where it was refused.

import { detailsOf, inputOf } from '../call-blocks.ts';
import { isObject, stringAt } from '../json-access.ts';
import type { DiffRequest, ProposedDiff } from '../source.ts';
import { creation, patch } from '../unified-diff.ts';

export function proposedDiff(request: DiffRequest): ProposedDiff | null {
  return recordedDiff(request) ?? askedDiff(request);
}

function recordedDiff(request: DiffRequest): ProposedDiff | null {
  const diff = stringAt(detailsOf(request), 'fileDiff');
  return diff === undefined ? null : { diff, diff_base: 'file' };
}

/** Nothing was recorded: the pieces that the call names. */
function askedDiff(request: DiffRequest): ProposedDiff | null {
  const asked = inputOf(request);
  const input = isObject(asked) ? asked : undefined;
  const path = stringAt(input, 'file_path');
  if (path === undefined) return null;
  if (request.name === 'write_file')
    return { diff: creation(path, stringAt(input, 'content') ?? ''), diff_base: 'unknown' };
  const [from, to] = [stringAt(input, 'old_string'), stringAt(input, 'new_string')];
  if (from === undefined || to === undefined) return null;
  return { diff: patch(path, from, to).replaceAll('\\ No newline at end of file\n', ''), diff_base: 'fragment' };
}
