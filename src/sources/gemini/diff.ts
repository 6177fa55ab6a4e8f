// The change that an edit asked for. The client makes a diff to show it, and records it also where it was refused.

import { isObject, stringAt } from '../json-access.ts';
import type { DiffRequest, ProposedDiff } from '../source.ts';
import { creation, patch } from '../unified-diff.ts';

export function proposedDiff(request: DiffRequest): ProposedDiff | null {
  return recordedDiff(request) ?? askedDiff(request);
}

function recordedDiff({ content, result_message_index, tool_use_id }: DiffRequest): ProposedDiff | null {
  if (result_message_index === null) return null;
  const result = content(result_message_index).find(
    (block) => block.type === 'tool_result' && block.tool_use_id === tool_use_id,
  );
  const shown = result?.type === 'tool_result' && isObject(result.details) ? result.details : undefined;
  const diff = stringAt(shown, 'fileDiff');
  return diff === undefined ? null : { diff, diff_base: 'file' };
}

/** Nothing was recorded: the pieces that the call names. */
function askedDiff({ content, message_index, tool_use_id, name }: DiffRequest): ProposedDiff | null {
  const call = content(message_index).find((block) => block.type === 'tool_use' && block.id === tool_use_id);
  const input = call?.type === 'tool_use' && isObject(call.input) ? call.input : undefined;
  const path = stringAt(input, 'file_path');
  if (path === undefined) return null;
  if (name === 'write_file') return { diff: creation(path, stringAt(input, 'content') ?? ''), diff_base: 'unknown' };
  const [from, to] = [stringAt(input, 'old_string'), stringAt(input, 'new_string')];
  if (from === undefined || to === undefined) return null;
  return { diff: patch(path, from, to).replaceAll('\\ No newline at end of file\n', ''), diff_base: 'fragment' };
}
