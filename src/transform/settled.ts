// What must hold of every copy, whatever was asked for.

import { type Draft, isBlankText, withBlocks } from './draft.ts';
import { paired } from './pairing.ts';
import { withoutBrokenThinking } from './without-thinking.ts';

/** Calls and results in pairs, no thinking that a server would refuse, no empty words. */
export function settled(draft: Draft): Draft {
  return withoutBrokenThinking(paired(withoutEmptyWords(draft)));
}

/** Servers refuse empty texts; clients drop them, or send others in their place. */
function withoutEmptyWords(draft: Draft): Draft {
  return withBlocks(draft, (block) => (isBlankText(block) && block.change === null ? { to: 'nothing' } : undefined));
}

/**
 * A conversation that was cut in the middle of a turn ends with the last thing that the agent said whole: a client makes up
 * an answer to whatever else stands at the end.
 */
export function endedOnReply(draft: Draft): Draft {
  let ended = settled(draft);
  while (ended.messages.length > 0 && ended.messages.at(-1)?.role !== 'assistant') {
    const last = ended.messages.findLastIndex(({ role }) => role === 'assistant');
    // A reply whose results went with the end has calls that were never answered now: they go, and with them perhaps the reply.
    ended = settled({ ...ended, messages: ended.messages.slice(0, last + 1) });
  }
  return ended;
}
