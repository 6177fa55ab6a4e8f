// What the slider through the layers says: what had left the context, and what two points have not in common.

import { counted } from '../parts/measures.ts';
import type { SessionModel } from './model.ts';

/** What had left at a message: whole messages, and of some that stayed the content. */
export function leftWords(model: SessionModel, at: number): string {
  const { order } = model.context(at);
  const sent = [...model.answer.sent.slice(0, at + 1)].filter((mark) => mark === '1').length;
  const left = Math.max(0, sent - order.length);
  const emptied = order.length - model.wholes(at).size;
  if (emptied === 0) return left === 0 ? 'Nothing had left.' : `${counted(left, 'message')} had left.`;
  const contents = `the content of ${counted(emptied, left === 0 ? 'message' : 'other')}`;
  return left === 0 ? `Of these, ${contents} had left.` : `${counted(left, 'message')} had left, and ${contents}.`;
}

/** What the model had whole at one point and not at the other. */
export function compared(model: SessionModel, from: number, to: number): string {
  const [before, after] = [model.wholes(from), model.wholes(to)];
  const gone = [...before].filter((index) => !after.has(index));
  const came = [...after].filter((index) => !before.has(index)).length;
  const there = model.context(to).set;
  const emptied = gone.filter((index) => there.has(index)).length;
  const contents = emptied === 0 ? '' : ` (${emptied === gone.length ? 'only' : `of ${emptied} only`} the content)`;
  return `Between ${from} and ${to} it forgot ${gone.length}${contents} and learnt ${came}.`;
}
