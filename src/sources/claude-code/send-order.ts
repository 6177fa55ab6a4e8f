// The order in which 2.1.3xx sends what stands between two replies, which is not the order of
// the rows (measured on every request of the recordings): tool results first, then attachments
// rendered for the user's side, then what the person and the client said, at last, as one
// message of their own, attachments rendered for the system's side.

import { indicesIn, rangesOf } from '../../schema/context.ts';
import type { OpenedWindow, OutlineMessage } from '../../schema/outline.ts';

/** Sets `sent_before` on every message that was sent before one written earlier, and brings what windows begin with in order. */
export function orderAsSent(messages: OutlineMessage[], windows: readonly OpenedWindow[]): void {
  const opened = new Map(windows.map((window) => [window.opened_at_index, window]));
  let gap: number[] = [];
  let begun = new Set<number>();
  let from = 0;
  const flush = () => {
    markOrder(messages, gap, from);
    gap = [];
  };
  messages.forEach((message, index) => {
    const window = opened.get(index);
    if (window !== undefined) {
      flush();
      const start = inOrder(messages, window);
      window.start = rangesOf(start);
      begun = new Set(start);
      // What follows its last reply is sent together with what comes next.
      gap = start.slice(start.findLastIndex((one) => messages[one]?.kind === 'reply') + 1);
      from = index;
    }
    if (message.kind === 'reply') flush();
    else if (message.sent && !begun.has(index)) gap.push(index);
  });
  flush();
}

/** What a window begins with: the part with the message that opened it by rank, the rest as it was. */
function inOrder(messages: OutlineMessage[], { opened_at_index, start }: OpenedWindow): number[] {
  const indices = indicesIn(start);
  const at = indices.indexOf(opened_at_index);
  if (at === -1) return indices;
  const isReply = (index: number) => messages[index]?.kind === 'reply';
  const begin = indices.slice(0, at).findLastIndex(isReply) + 1;
  const length = indices.slice(at).findIndex(isReply);
  const end = length === -1 ? indices.length : at + length;
  return [...indices.slice(0, begin), ...byRank(messages, indices.slice(begin, end)), ...indices.slice(end)];
}

function byRank(messages: OutlineMessage[], indices: number[]): number[] {
  return indices.toSorted((a, b) => rank(messages[a]) - rank(messages[b]));
}

/** Messages before `from` are those of an older window too: their order is settled. */
function markOrder(messages: OutlineMessage[], gap: number[], from: number): void {
  if (gap.length < 2) return; // as most are: one result, one prompt
  // The nearest that was sent after it and written before it: the next smaller index, found from the end.
  const following: number[] = [];
  for (const index of byRank(messages, gap).toReversed()) {
    while ((following.at(-1) ?? -1) > index) following.pop();
    const message = messages[index];
    if (message !== undefined && index >= from) message.sent_before = following.at(-1) ?? null;
    following.push(index);
  }
}

function rank(message: OutlineMessage | undefined): number {
  if (message === undefined || message.role === 'system') return 3;
  if (message.kind === 'tool_result') return 0;
  return message.kind === 'meta' && message.blocks[0]?.type === 'attachment' ? 1 : 2;
}
