// What a server refuses in the messages that a resume sends.

import type { NativeFault } from '../source.ts';
import { type ChainRow, some } from './chain-row.ts';

/** 5 MB as base64 (the API's documentation). */
const LARGEST_IMAGE = 5 * 1024 * 1024;

/** `sent`: the rows of messages that a resume sends, in the order of the file; `all`: every row of the conversation. */
export function contentFaults(sent: ChainRow[], all: ChainRow[]): NativeFault[] {
  const called = new Set(sent.flatMap(({ calls }) => calls));
  const answered = new Set(sent.flatMap(({ results }) => results));
  const open = sent.filter(({ calls }) => calls.some((id) => !answered.has(id)));
  const orphans = sent.filter(({ results }) => results.some((id) => !called.has(id)));
  return [
    ...some(
      'open-call',
      'mended',
      open,
      (count) => `${count} tool calls were never answered: the client leaves them out.`,
    ),
    ...some(
      'orphan-result',
      'refused',
      orphans,
      (count) =>
        `${count} results have no call: clients up to 2.0.x send them, and the server refuses that; 2.1.325 puts other words in their place.`,
    ),
    ...some(
      'twice-answered',
      'refused',
      answeredTwice(sent),
      (count) => `${count} calls are answered twice: the server refuses that.`,
    ),
    ...some(
      'thinking-refused',
      'refused',
      all.filter((row) => row.refusesThinking),
      (count) => `The server has refused this session ${count} times because of its thinking.`,
    ),
    ...some(
      'unsigned-thinking',
      'refused',
      sent.filter((row) => row.unsignedThinking > 0),
      (count) => `${count} messages have thinking without a signature: the server refuses that.`,
    ),
    ...some(
      'oversized-image',
      'refused',
      sent.filter((row) => row.largestImage > LARGEST_IMAGE),
      (count) => `${count} messages have an image of more than 5 MB: the server refuses that.`,
    ),
    ...some(
      'empty-text',
      'mended',
      sent.filter((row) => row.emptyTexts > 0),
      (count) => `${count} messages have an empty text: the client leaves them out.`,
    ),
  ];
}

function answeredTwice(sent: ChainRow[]): ChainRow[] {
  const seen = new Set<string>();
  return sent.filter(({ results }) => results.some((id) => seen.size === seen.add(id).size));
}
