// What a resume of the copy has to send, in words that can be compared: with what reached a server, or by eye.

import type { Block, Text } from '../schema/blocks.ts';
import { contextAt } from '../schema/context.ts';
import { jsonText } from '../schema/json-text.ts';
import type { SessionView } from '../schema/stream.ts';
import type { ClonePlan } from '../transform/plan.ts';
import { plannedMessages } from '../transform/planned-messages.ts';

export interface PlannedBlocks {
  role: 'user' | 'assistant' | 'system';
  kind: string;
  blocks: string[];
}

/** In the order sent. */
export function plannedBlocks({ draft }: ClonePlan, view: SessionView): PlannedBlocks[] {
  const planned = [...plannedMessages(draft, view)];
  const place = new Map(planned.map(({ message }, i) => [message.index, i]));
  // The rule of contexts, on the messages that are left, in their own order.
  const marks = planned.map(({ message }) => ({
    sent: true,
    sent_before: message.sent_before === null ? null : (place.get(message.sent_before) ?? null),
  }));
  const order = contextAt([{ opened_at_index: 0, start: [] }], marks, planned.length - 1);
  const messages = order.flatMap((at): PlannedBlocks[] => {
    const one = planned[at];
    if (one === undefined) return [];
    const { role, kind } = one.message;
    return [{ role, kind, blocks: one.blocks.filter((block) => block !== null).map(blockWords) }];
  });
  const { summary } = draft;
  return summary === null
    ? messages
    : [{ role: 'user', kind: 'summary', blocks: [`text ${summary.text}`] }, ...messages];
}

function blockWords(block: Block): string {
  switch (block.type) {
    case 'text':
      return `text ${words(block.text)}`;
    case 'thinking':
      return `thinking ${words(block.text ?? block.encrypted ?? '')}`;
    case 'tool_use':
      return `call ${block.name} ${jsonText(block.input)}`;
    case 'tool_result':
      return `result ${block.content.map((part) => (part.type === 'text' ? words(part.text) : part.type)).join('\n')}`;
    case 'attachment':
      return `attachment ${block.name} ${words(block.text ?? '')}`;
    case 'image':
    case 'unknown':
      return block.type;
  }
}

function words(text: Text): string {
  return typeof text === 'string' ? text : `(${text.omitted_bytes} bytes)`;
}
