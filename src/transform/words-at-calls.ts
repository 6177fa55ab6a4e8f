// What the person said to a call: why they refused it, or what they answered. It is no word of a tool, and stays where tools go.

import type { ToolCall } from '../schema/session.ts';
import type { SessionView } from '../schema/stream.ts';
import { questionsOf } from './summary-calls.ts';

export type WordsAtCall =
  | { to: 'refusal'; said: string }
  /** The questions that the answer does not quote. */
  | { to: 'question'; questions: string[]; said: string };

/** By the call. */
export function wordsAtCalls(view: SessionView): ReadonlyMap<string, WordsAtCall> {
  return new Map([...answersIn(view), ...reasonsIn(view)]);
}

type Entry = [tool_use_id: string, words: WordsAtCall];

/** Where the reason is a prompt it stands in the copy anyway. */
function reasonsIn(view: SessionView): Entry[] {
  return view
    .allEvents()
    .rejections.flatMap(({ tool_use_id, reason, reason_source }): Entry[] =>
      tool_use_id !== null && reason !== null && reason_source === 'recorded'
        ? [[tool_use_id, { to: 'refusal', said: reason }]]
        : [],
    );
}

function answersIn(view: SessionView): Entry[] {
  return view.document.tool_calls.flatMap((call): Entry[] => {
    if (call.id === null || call.status !== 'ok' || view.purposeOf(call.name) !== 'question') return [];
    const said = answerTo(view, call);
    if (said === '') return [];
    const questions = questionsAsked(view, call).filter((question) => !said.includes(question));
    return [[call.id, { to: 'question', questions, said }]];
  });
}

function questionsAsked(view: SessionView, { id, message_index }: ToolCall): string[] {
  if (message_index === null) return [];
  const block = view.message(message_index).content.find((one) => one.type === 'tool_use' && one.id === id);
  return block?.type === 'tool_use' ? questionsOf(block.input) : [];
}

function answerTo(view: SessionView, { id, result_message_index }: ToolCall): string {
  if (result_message_index === null) return '';
  const blocks = view.message(result_message_index).content;
  const block = blocks.find((one) => one.type === 'tool_result' && one.tool_use_id === id);
  if (block?.type !== 'tool_result') return '';
  const texts = block.content.map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''));
  return texts.join('\n').trim();
}

/** As the person's own message, in place of the result. */
export function insteadOfResult(words: WordsAtCall, tool: string | null): string {
  if (words.to === 'refusal')
    return `[A call of ${tool ?? 'a tool'} was refused by the user, who said:]\n${words.said}`;
  return `[The user was asked${listed(words.questions)}, and answered:]\n${words.said}`;
}

/** The end of a line that tells of the call. */
export function endOfNote(words: WordsAtCall | undefined): string {
  if (words === undefined) return '';
  if (words.to === 'refusal') return `, who said: ${words.said}`;
  return `; the user was asked${listed(words.questions)}, and answered: ${words.said}`;
}

function listed(questions: string[]): string {
  return questions.length === 0 ? '' : ` "${questions.join('" "')}"`;
}
