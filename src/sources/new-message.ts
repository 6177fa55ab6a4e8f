import type { OutlineMessage } from '../schema/outline.ts';

type Given = Pick<OutlineMessage, 'id' | 'role' | 'kind' | 'timestamp' | 'blocks' | 'source' | 'extra'> &
  Partial<Pick<OutlineMessage, 'inherited' | 'turn_id'>>;

/** A message of which no more is known yet than its row tells. */
export function newMessage({
  id,
  role,
  kind,
  timestamp,
  blocks,
  source,
  extra,
  inherited,
  turn_id,
}: Given): OutlineMessage {
  return {
    id,
    parent_id: null,
    role,
    kind,
    timestamp,
    ended_at: null,
    blocks,
    content: null,
    said: null,
    model: null,
    stop_reason: null,
    usage: null,
    request_id: null,
    sent: true,
    sent_before: null,
    inherited: inherited ?? null,
    source,
    extra,
    turn_id: turn_id ?? null,
    starts_turn: null,
    ends_turn: false,
  };
}
