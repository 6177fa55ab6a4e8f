// The order in which 2.1.3xx sends what stands between two replies, which is not the order of
// the rows (measured on every request of the recordings): tool results first, then attachments
// rendered for the user's side, then what the person and the client said, at last, as one
// message of their own, attachments rendered for the system's side.

import type { OutlineMessage } from '../../schema/outline.ts';

/** Sets `sent_before` on every message that was sent before one written earlier. */
export function orderAsSent(messages: OutlineMessage[], windowStarts: Set<number>): void {
  let gap: number[] = [];
  const flush = () => {
    markOrder(messages, gap);
    gap = [];
  };
  messages.forEach((message, index) => {
    if (windowStarts.has(index)) flush();
    if (message.kind === 'reply') flush();
    else if (message.sent) gap.push(index);
    // The summary opens the context; what was kept of the old one follows it.
    if (message.kind === 'summary') flush();
  });
  flush();
}

function markOrder(messages: OutlineMessage[], gap: number[]): void {
  const sent = [...gap].sort((a, b) => rank(messages[a]) - rank(messages[b]) || a - b);
  // The nearest that was sent after it and written before it: the next smaller index, found from the end.
  const following: number[] = [];
  for (const index of sent.toReversed()) {
    while ((following.at(-1) ?? -1) > index) following.pop();
    const message = messages[index];
    if (message !== undefined) message.sent_before = following.at(-1) ?? null;
    following.push(index);
  }
}

function rank(message: OutlineMessage | undefined): number {
  if (message === undefined || message.role === 'system') return 3;
  if (message.kind === 'tool_result') return 0;
  return message.kind === 'meta' && message.blocks[0]?.type === 'attachment' ? 1 : 2;
}
