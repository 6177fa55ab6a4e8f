// What only Claude Code records of a message and a reader may want: kept under `extra`.

import type { OutlineMessage } from '../../schema/outline.ts';
import { type JsonObject, objectAt } from '../json-access.ts';

type Extra = OutlineMessage['extra'];
type Names = readonly (readonly [native: string, ours: string])[];

const USER_FIELDS: Names = [
  ['promptSource', 'prompt_source'],
  ['origin', 'origin'],
  ['permissionMode', 'permission_mode'],
  ['thinkingMetadata', 'thinking_metadata'],
  ['refusedMessageId', 'refused_message_id'],
  ['interruptedMessageId', 'interrupted_message_id'],
  ['imagePasteIds', 'image_paste_ids'],
  ['planContent', 'plan_content'],
  ['todos', 'todos'],
  ['isMeta', 'is_meta'],
];
/** Rows of results, by far the most, have nothing of the kind but a plan. */
export function userExtra(row: JsonObject, kind: OutlineMessage['kind']): Extra {
  const extra: Extra = {};
  if (kind !== 'tool_result') pick(row, USER_FIELDS, extra);
  else if (typeof row.planContent === 'string') extra.plan_content = row.planContent;
  return extra;
}

/** What the first row of a reply tells; all of them tell the same. Field by field: this is asked of every reply. */
export function replyExtra(row: JsonObject, message: JsonObject): Extra {
  const extra: Extra = {};
  if (typeof message.id === 'string') extra.message_id = message.id;
  if (message.stop_sequence != null) extra.stop_sequence = message.stop_sequence;
  if (message.stop_details != null) extra.stop_details = message.stop_details;
  if (row.effort != null) extra.effort = row.effort;
  if (row.requestedModel != null) extra.requested_model = row.requestedModel;
  if (row.attributionAgent != null) extra.attribution_agent = row.attributionAgent;
  if (row.attributionSkill != null) extra.attribution_skill = row.attributionSkill;
  return extra;
}

/** What only the last row of a reply may tell. */
export function addLastExtra(extra: Extra, row: JsonObject, message: JsonObject): void {
  if (row.isAbortedMidStream === true) extra.aborted_mid_stream = true;
  if (row.supersedesUuids != null) extra.supersedes = row.supersedesUuids;
  // The API took parts out of the context by itself; it tells how many, not which.
  const edits = message.context_management == null ? undefined : objectAt(message, 'context_management')?.applied_edits;
  if (Array.isArray(edits) && edits.length > 0) extra.applied_edits = edits;
}

/** Null and false are as good as absent. */
function pick(row: JsonObject, names: Names, into: Extra): void {
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as Names[number]; // a place of the list
    const value = row[name[0]];
    if (value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)) {
      continue;
    }
    into[name[1]] = value;
  }
}
