// The first messages of a large session, from the beginning of its file.

import type { FoundFamily } from '../index.ts';
import type { ShownMessage } from './api.ts';
import { messageShower } from './shown-message.ts';

const BYTES = 1024 * 1024;
const MOST = 30;

/** Only what the rest of the file cannot change: the last turns in what was read are left out. */
export function firstMessages(family: FoundFamily, keyOfId: (id: string) => string): ShownMessage[] {
  const open = family.openBeginning(BYTES);
  if (open === undefined) return [];
  try {
    const [reader] = open.sessions;
    if (reader === undefined) return [];
    const settled = reader.document.turns.at(-2)?.first_message_index ?? 0;
    const count = Math.min(MOST, settled, open.unsettled_from ?? settled);
    const shower = messageShower(reader, keyOfId);
    return Array.from({ length: count }, (_, index) => shower.show(index, { whole: false }));
  } finally {
    open.close();
  }
}
