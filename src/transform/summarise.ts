// A summary of older turns, made offline and always the same: it stands in a slimmer clone in place
// of the turns themselves, so it holds what an agent needs to go on with the work.

import { rangesOf } from '../schema/context.ts';
import type { SessionView } from '../schema/stream.ts';
import { counted } from './summary-calls.ts';
import { type Collected, collect } from './summary-collect.ts';
import { agentItems, commandItems, failedItems, fileItems, taskItems } from './summary-deeds.ts';
import { eventItems } from './summary-events.ts';
import { fitted, type Item, type Section } from './summary-fit.ts';
import { LEVELS } from './summary-levels.ts';
import { answerItems, askedItems, carriedItems, namedItems, sentenceItems, stoodItems } from './summary-said.ts';
import { saidText } from './summary-said-text.ts';
import { clip, code } from './summary-sentences.ts';

export interface SummaryRequest {
  session: SessionView;
  /** Indices of the messages to be replaced, in order: whole turns; an older summary among them is carried over. */
  messages: number[];
  /** `full`: more per turn; `brief`: one or two lines per turn. */
  level: 'full' | 'brief';
  /** Upper limit in characters. What matters least is shortened first, and the text says that it was. Less than `LEAST_SUMMARY` is taken as that. */
  limit: number;
}

/** No summary is asked to be shorter: below this, not even what was asked last has room. */
export const LEAST_SUMMARY = 1500;

/** The text that stands for these messages, never longer than the limit (or `LEAST_SUMMARY`); '' for no messages. */
export function summarise(request: SummaryRequest): string {
  const { session, messages } = request;
  if (messages.length === 0) return '';
  const { project } = session.document.session;
  const level = LEVELS[request.level];
  const collected = collect(session, messages, level);
  const room = Math.max(request.limit, LEAST_SUMMARY);
  const head = headOf(session, messages, collected);
  const items = [
    ...carriedItems(collected, room),
    ...askedItems(collected.asked, level),
    ...stoodItems(collected),
    ...answerItems(collected),
    ...sentenceItems(collected, level, nextPrompt(session, messages)),
    ...fileItems(collected, project),
    ...commandItems(collected, level, project),
    ...failedItems(collected, project),
    ...eventItems(session, messages, collected.promptOfMessage),
    ...agentItems(collected),
    ...taskItems(collected),
    ...namedItems(collected, level),
  ];
  return `${head}\n${fitted(level.details ? items : items.map(inBrief), room - head.length - 1)}`;
}

/** What the person said and refused keeps its long form, as does an older summary: nothing else tells it. */
const KEPT_LONG: Section[] = ['carried', 'asked', 'refused'];

function inBrief(item: Item): Item {
  if (KEPT_LONG.includes(item.section)) return item;
  // What is told of deeds is meant to be less; a quotation that is cut is cut.
  return { ...item, long: item.short, whole: item.whole === item.long ? item.short : item.whole };
}

function headOf(session: SessionView, messages: number[], collected: Collected): string {
  const { id, agent, project } = session.document.session;
  const ranges = rangesOf(messages).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const shown = ranges.length > 6 ? [...ranges.slice(0, 3), '…', ...ranges.slice(-2)] : ranges;
  const paths = project === null ? '' : ` Relative paths are below ${code(clip(project, 200))}.`;
  const place = `${counted(messages.length, 'message')} (${shown.join(', ')}) with ${counted(collected.asked.length, 'prompt')}`;
  return [
    '# Summary of earlier turns',
    '',
    `A program (Palimpsest), not a model, made this from the recorded turns of session ${code(clip(id, 100))} (${agent}). It stands in place of ${place}; what is said below was quoted, … marks a cut, and (n) means: during prompt n, (0) before the first.${paths}`,
    '',
  ].join('\n');
}

/** The prompt that follows the replaced messages: it may answer their last question. */
function nextPrompt(session: SessionView, messages: number[]): string {
  const last = messages.at(-1) ?? -1;
  const turn = session.document.turns.find(({ prompt_indices }) => (prompt_indices[0] ?? -1) > last);
  const index = turn?.prompt_indices[0];
  if (index === undefined) return '';
  return saidText(session.message(index));
}
