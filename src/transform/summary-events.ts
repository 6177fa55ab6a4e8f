// What the person or a rule refused, what was stopped, and what the API failed at.

import type { Json } from '../schema/blocks.ts';
import type { Denial, Failure, Interruption, Rejection } from '../schema/events.ts';
import { jsonText } from '../schema/json-text.ts';
import type { SessionView } from '../schema/stream.ts';
import { belowProject, changesOf, commandLine, commandOf, pathOf, planOf, questionsOf } from './summary-calls.ts';
import { type Item, item } from './summary-fit.ts';
import { piecesOf, quoteOf } from './summary-pieces.ts';
import { clip, code, oneLine, plainText } from './summary-sentences.ts';

type Prompts = Map<number, number>;

/** The events of these messages, in the order in which they happened. */
export function eventItems(session: SessionView, messages: readonly number[], prompts: Prompts): Item[] {
  const { rejections, denials, interruptions, failures } = session.allEvents();
  const { tool_calls } = session.document;
  const { project } = session.document.session;
  const within = new Set(messages);
  const calls = new Map(tool_calls.map((call) => [call.id, call.message_index]));
  const placeOf = (event: Placed): number | undefined => {
    const at = [event.message_index, calls.get(event.tool_use_id ?? ''), event.after_message_index];
    return at.find((index) => index != null && within.has(index)) ?? undefined;
  };
  const placed = <T extends Placed>(events: T[]) =>
    events.flatMap((event) => {
      const index = placeOf(event);
      return index === undefined ? [] : [{ event, prompt: prompts.get(index) ?? 0 }];
    });
  return [
    ...placed(rejections).map(({ event, prompt }) => rejectionItem(event, prompt, project)),
    ...denialItems(placed(denials)),
    ...placed(interruptions).map(({ event, prompt }) => interruptionItem(event, prompt, session)),
    ...failureItems(placed(failures)),
  ];
}

interface Placed {
  message_index: number | null;
  after_message_index: number | null;
  tool_use_id?: string | null;
}

function rejectionItem(event: Rejection, prompt: number, project: string | null): Item {
  const target = belowProject(targetOf(event.action?.input ?? null), project);
  const what = `(${prompt}) ${event.tool_name ?? 'A call'}${target === '' ? '' : ` ${target}`} was refused`;
  const others = event.also_refused.length === 0 ? '' : ` (and ${event.also_refused.length} beside it fell with it)`;
  const reason = event.reason === null ? '' : oneLine(plainText(event.reason));
  const said =
    reason === '' ? '; no reason was given' : event.reason_source === 'next-prompt' ? '; the next prompt said: ' : ': ';
  const quote = (most: number) => (reason === '' ? '.' : `"${clip(reason, most)}"`);
  return item({
    section: 'refused',
    line: `refused ${event.id}`,
    short: clip(`${what}${said}${quote(260)}`, 520),
    long: `${what}${others}${said}${quote(1200)}`,
    whole: `${what}${others}${said}${quote(Infinity)}`,
    worth: 96,
    longWorth: 70,
  });
}

/** What a call was about to do: the file, the command, the plan. */
function targetOf(input: Json): string {
  const path = pathOf(input);
  const changes = changesOf(input, null);
  if (path !== undefined) return `of ${code(path)}${changes[0]?.detail ? ` (${changes[0].detail})` : ''}`;
  if (changes.length > 0) return `of ${changes.map((change) => code(change.path)).join(', ')}`;
  const command = commandOf(input);
  if (command !== undefined) return code(clip(commandLine(command), 200));
  const plan = planOf(input);
  if (plan !== undefined) return `of a plan ("${clip(beginningOf(plan), 160)}")`;
  const [question] = questionsOf(input);
  if (question !== undefined) return `("${clip(question, 160)}")`;
  const text = input === null ? '' : oneLine(plainText(jsonText(input)));
  return text === '' || text === '{}' ? '' : code(clip(text, 120));
}

function beginningOf(plan: string): string {
  const pieces = piecesOf(plainText(plan));
  return quoteOf(pieces, (piece) => pieces.indexOf(piece) < 2);
}

function denialItems(denials: { event: Denial; prompt: number }[]): Item[] {
  const folded = new Map<string, { prompt: number; times: number }>();
  for (const { event, prompt } of denials) {
    const message = event.message === null ? '' : `: ${clip(oneLine(plainText(event.message)), 160)}`;
    const said = `${event.tool_name ?? 'A call'} ${targetOf(event.action?.input ?? null)} was denied (${event.denied_by})${message}`;
    const known = folded.get(said);
    folded.set(said, { prompt, times: (known?.times ?? 0) + 1 });
  }
  return [...folded].map(([said, { prompt, times }]) =>
    eventItem('refused', `(${prompt}) ${said}${timesOf(times)}`, 66),
  );
}

function interruptionItem(event: Interruption, prompt: number, session: SessionView): Item {
  const call = session.document.tool_calls.find(({ id }) => id !== null && id === event.tool_use_id);
  const what =
    event.target === 'response' ? 'the reply' : event.target === 'agent' ? 'a subagent' : (call?.name ?? 'a tool');
  const who = event.type === 'user' ? 'The person stopped' : 'The client or the process ended';
  const partial =
    event.partial_output === null ? '' : `; by then: "${clip(oneLine(plainText(event.partial_output)), 160)}"`;
  return eventItem('interrupted', `(${prompt}) ${who} ${what}${partial}.`, 72);
}

function failureItems(failures: { event: Failure; prompt: number }[]): Item[] {
  const folded = new Map<string, { prompt: number; times: number }>();
  for (const { event, prompt } of failures) {
    const status = event.status === null ? '' : ` ${event.status}`;
    const message = event.message === null ? '' : `: ${clip(oneLine(plainText(event.message)), 140)}`;
    const said = `The API failed (${event.cause}${status})${message}`;
    folded.set(said, { prompt, times: (folded.get(said)?.times ?? 0) + 1 });
  }
  return [...folded].map(([said, { prompt, times }]) =>
    eventItem('failed', `(${prompt}) ${said}${timesOf(times)}`, 38),
  );
}

function timesOf(times: number): string {
  return times > 1 ? ` ×${times}` : '';
}

function eventItem(section: Item['section'], text: string, worth: number): Item {
  return item({ section, short: text, worth });
}
