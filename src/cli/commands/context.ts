import { contextAt, counted, cut, type Message, plain, type SessionReader, wrapText } from '../../index.ts';
import { chooseOne, type FilterOptions, withSession } from '../choose.ts';
import { fail } from '../failure.ts';
import { writeJson } from '../output.ts';
import { writePaged } from '../pager.ts';
import { type Screen, screen } from '../screen.ts';

interface ContextFlags extends FilterOptions {
  at?: string;
  pager: boolean;
  json?: boolean;
}

export async function context(id: string | undefined, flags: ContextFlags): Promise<void> {
  const chosen = chooseOne(id, flags);
  if (flags.json === true) withSession(chosen, (session) => writeJson('context', seenBy(session, flags.at)));
  else
    await writePaged(
      withSession(chosen, (session) => lines(session, flags.at)),
      { wanted: flags.pager },
    );
}

function seenBy(session: SessionReader, message: string | undefined) {
  const at = messageIndex(session, message);
  const { windows, not_recorded } = session.document.context;
  return {
    session_id: session.document.session.id,
    at,
    window: windows.findLast((opened) => opened.opened_at_index <= at),
    not_recorded,
    messages: contextOf(session, at).map((index) => session.message(index)),
  };
}

function lines(session: SessionReader, message: string | undefined): string[] {
  const { session_id, at, window, not_recorded, messages } = seenBy(session, message);
  const view = screen();
  const head = [
    `What the model saw at message ${at} of ${plain(session_id)}: ${messages.length} of ${counted(session.messageCount, 'message')}.`,
    window === undefined
      ? ''
      : `Window ${window.index}, opened by ${window.opened_by} at message ${window.opened_at_index} (${window.basis}, ${window.confidence} confidence).`,
    not_recorded.length === 0 ? '' : `Not recorded, but sent with every request: ${not_recorded.join(', ')}.`,
  ];
  const fitted = view.isTerminal ? head.flatMap((told) => wrapText(told, view.width)) : head;
  return [
    ...fitted.filter((told) => told !== '').map((told) => `${told}\n`),
    '\n',
    ...messages.map((each) => line(each, view)),
  ];
}

function line(message: Message, { isTerminal, width }: Screen): string {
  const words = message.content.map((block) => {
    if (block.type === 'text') return typeof block.text === 'string' ? block.text : '(text)';
    if (block.type === 'thinking') return typeof block.text === 'string' ? `(thinking: ${block.text})` : '(thinking)';
    if (block.type === 'tool_use') return `→ ${plain(block.name, 60)}`;
    if (block.type === 'tool_result')
      return `← ${block.content.map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : `(${part.type})`)).join(' ')}`;
    return block.type === 'attachment' ? `(${block.name})` : `(${block.type})`;
  });
  const text = `[${message.index}] ${message.role} ${message.kind}  ${plain(words.join(' '), 120)}`;
  return `${isTerminal ? cut(text, width) : text}\n`;
}

/** A message by index or by any id it has; the last one where none is named. */
export function messageIndex(session: SessionReader, at: string | undefined): number {
  if (session.messageCount === 0) fail(`Session ${session.document.session.id} has no messages.`);
  if (at === undefined) return session.messageCount - 1;
  const index = /^\d+$/.test(at) ? Number(at) : session.indexOf(at);
  if (index === undefined) fail(`There is no message "${at}" in session ${session.document.session.id}.`);
  if (index >= session.messageCount)
    fail(
      `There is no message ${index}: session ${session.document.session.id} has ${session.messageCount} (0 to ${session.messageCount - 1}).`,
    );
  return index;
}

export function contextOf(session: SessionReader, at: number): number[] {
  return contextAt(session.document.context.windows, session.sentMarks(), at);
}
