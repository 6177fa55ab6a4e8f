// What a server refuses in the messages that a resume sends.

import { LARGEST_IMAGE } from '../../schema/limits.ts';
import type { NativeFault } from '../source.ts';
import { type ChainRow, some } from './chain-row.ts';

/** `sent`: the rows of messages that a resume sends, in the order of the file; `all`: every row of the conversation. */
export function contentFaults(sent: ChainRow[], all: ChainRow[]): NativeFault[] {
  const called = new Set(sent.flatMap(({ calls }) => calls));
  const answered = new Set(sent.flatMap(({ results }) => results));
  const open = sent.filter(({ calls }) => calls.some((id) => !answered.has(id)));
  const orphans = sent.filter(({ results }) => results.some((id) => !called.has(id)));
  const refused = 'The server refuses that.';
  const leftOut = 'The client leaves them out.';
  return [
    ...some('open-call', 'mended', open, ['Replies with calls that were never answered', leftOut]),
    ...some('result-elsewhere', 'mended', misplaced(sent), [
      'Results that do not stand right after their call',
      'Servers want them there; what the client makes of it was not tried.',
    ]),
    ...some('orphan-result', 'refused', orphans, [
      'Results without their call',
      'Clients up to 2.0.x send them, and the server refuses that; 2.1.325 puts other words in their place.',
    ]),
    ...some('twice-answered', 'refused', answeredTwice(sent), ['Second results of a call', refused]),
    ...some('thinking-refused', 'refused', all.filter(isRefusal), [
      'Times that the server refused this session because of its thinking',
      'It will again.',
    ]),
    ...some('unsigned-thinking', 'refused', sent.filter(isUnsigned), [
      'Replies with thinking that has no signature',
      refused,
    ]),
    ...some('oversized-image', 'refused', sent.filter(isTooLarge), [
      'Messages with an image of more than 5 MB',
      refused,
    ]),
    ...some('empty-text', 'mended', sent.filter(isEmpty), ['Messages with an empty text', leftOut]),
  ];
}

const isRefusal = (row: ChainRow) => row.refusesThinking;
const isUnsigned = (row: ChainRow) => row.unsignedThinking > 0;
const isTooLarge = (row: ChainRow) => row.largestImage > LARGEST_IMAGE;
const isEmpty = (row: ChainRow) => row.emptyTexts > 0;

/** A result belongs behind the reply that made the call, before any other reply. */
function misplaced(sent: ChainRow[]): ChainRow[] {
  const callerOf = new Map<string, string | null>();
  for (const { calls, message } of sent) for (const id of calls) callerOf.set(id, message);
  let last: string | null = null;
  return sent.filter(({ type, message, results }) => {
    if (type === 'assistant') last = message;
    return results.some((id) => callerOf.has(id) && callerOf.get(id) !== last);
  });
}

function answeredTwice(sent: ChainRow[]): ChainRow[] {
  const seen = new Set<string>();
  return sent.filter(({ results }) => results.some((id) => seen.size === seen.add(id).size));
}
