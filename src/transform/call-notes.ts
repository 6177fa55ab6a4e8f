// A call told in one line: what was done, to what, and how it ended.

import type { Json } from '../schema/blocks.ts';
import type { ToolCall } from '../schema/session.ts';
import type { SessionView } from '../schema/stream.ts';
import { endOfNote, wordsAtCalls } from './words-at-calls.ts';

/** What a call was about, by the names that tools commonly give it; the first that is there. */
const SUBJECTS = [
  'command',
  'cmd',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
];
const LONGEST = 120;

export function callNotes(view: SessionView): (tool_use_id: string) => string {
  const calls = new Map<string, ToolCall>();
  for (const call of view.document.tool_calls) if (call.id !== null && !calls.has(call.id)) calls.set(call.id, call);
  const words = wordsAtCalls(view);
  return (id) => {
    const call = calls.get(id);
    if (call === undefined) return '[A tool was called.]';
    const subject = subjectOf(inputOf(view, call));
    return `[${call.name}${subject === '' ? '' : `: ${subject}`} — ${endOf(call)}${endOfNote(words.get(id))}]`;
  };
}

function inputOf(view: SessionView, call: ToolCall): Json {
  if (call.message_index === null) return null;
  const block = view
    .message(call.message_index)
    .content.find((candidate) => candidate.type === 'tool_use' && candidate.id === call.id);
  return block?.type === 'tool_use' ? block.input : null;
}

function subjectOf(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const named = SUBJECTS.map((key) => input[key]).find((value) => typeof value === 'string');
  const any = named ?? Object.values(input).find((value) => typeof value === 'string');
  const line = typeof any === 'string' ? any.replace(/\s+/g, ' ').trim() : '';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function endOf({ status, exit_code }: ToolCall): string {
  if (status === 'error') return exit_code === null ? 'failed' : `failed with exit code ${exit_code}`;
  const words: Partial<Record<ToolCall['status'], string>> = {
    rejected: 'refused by the user',
    denied: 'denied by policy',
    unanswered: 'never answered: what it did is not known',
    background: 'went on in the background',
  };
  return words[status] ?? status;
}
