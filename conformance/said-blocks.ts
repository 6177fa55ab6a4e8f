// Messages as a client sends them to the Messages API, and how ours are held against them.

import type { Block } from '../src/index.ts';
import { type ApiMessage, type Part, partsOf } from './mock-anthropic.ts';

/** One message: "text …", "thinking …", "call NAME {…}", "result …", "image". */
export interface SaidMessage {
  role: string;
  blocks: string[];
}

/** What was sent, neighbours of one role as one message. A system message without content carries only settings. */
export function sentMessages(messages: ApiMessage[]): SaidMessage[] {
  return merged(messages.map((message) => ({ role: message.role, blocks: partsOf(message).map(partLine) })));
}

function partLine(part: Part): string {
  if (part.type === 'text') return `text ${part.text}`;
  if (part.type === 'thinking') return `thinking ${part.thinking}`;
  if (part.type === 'tool_use') return `call ${part.name} ${JSON.stringify(part.input)}`;
  if (part.type === 'tool_result') return `result ${resultText(part.content)}`;
  return part.type;
}

function resultText(content: string | Part[] | undefined): string {
  if (typeof content === 'string' || content === undefined) return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
}

/** Blocks of a document, written the same way. */
export function blockLines(block: Block): string[] {
  switch (block.type) {
    case 'text':
    case 'attachment':
      return [`text ${block.text}`];
    case 'thinking':
      return [`thinking ${block.text}`];
    case 'tool_use':
      return [`call ${block.name} ${JSON.stringify(block.input)}`];
    case 'tool_result':
      return [`result ${block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n')}`];
    case 'image':
      return ['image'];
    case 'unknown':
      return [`unknown ${block.native_type}`];
  }
}

/** Neighbours of one role as one message; nothing stays of a message without blocks. */
export function merged(messages: readonly SaidMessage[]): SaidMessage[] {
  const result: SaidMessage[] = [];
  for (const { role, blocks } of messages) {
    if (blocks.length === 0) continue;
    const last = result.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else result.push({ role, blocks: [...blocks] });
  }
  return result;
}

/** Where two lists of messages differ first, in a few lines; nothing if they do not. */
export function firstDifference(ours: readonly SaidMessage[], sent: readonly SaidMessage[]): string | undefined {
  for (let i = 0; i < Math.max(ours.length, sent.length); i++) {
    const [left, right] = [ours[i], sent[i]];
    const blocks = Math.max(left?.blocks.length ?? 0, right?.blocks.length ?? 0);
    for (let k = 0; k < blocks; k++) {
      if (left?.role === right?.role && sameBlock(left?.blocks[k], right?.blocks ?? [], k)) continue;
      const show = (message: SaidMessage | undefined) =>
        message === undefined ? 'nothing' : `${message.role}: ${shown(message.blocks[k])}`;
      return `message ${i}, block ${k}\n    ours ${show(left)}\n    sent ${show(right)}`;
    }
  }
  return undefined;
}

/** To an old model 2.1.325 sends the reminders behind a result as the end of its text, which loses the space there. */
const REMINDERS_BEHIND = /(\n\n?<system-reminder>\n(?:(?!<\/?system-reminder>)[\s\S])*\n<\/system-reminder>)+$/;

/** 2.1.325 puts a line feed behind a text that another text of the same message follows. */
function sameBlock(ours: string | undefined, blocks: readonly string[], at: number): boolean {
  const sent = blocks[at];
  if (ours === sent) return true;
  if (ours === undefined || sent === undefined) return false;
  if (ours.startsWith('result '))
    return REMINDERS_BEHIND.test(sent) && ours.trimEnd() === sent.replace(REMINDERS_BEHIND, '');
  return ours.startsWith('text ') && blocks[at + 1]?.startsWith('text ') === true && `${ours}\n` === sent;
}

function shown(block: string | undefined): string {
  return block === undefined ? 'nothing' : JSON.stringify(block.length > 300 ? `${block.slice(0, 300)}…` : block);
}

/** What Claude Code answers for itself where a session ends with a message of the person. */
export const FILLER = 'text No response requested.';

/** A text that the client adds for the model, whole. */
export function isReminder(block: string): boolean {
  return /^text <system-reminder>[\s\S]*<\/system-reminder>\n?$/.test(block);
}
