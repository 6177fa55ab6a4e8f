// A large session begins to show before it is read: what is shown first must be what all of it says.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHome, type SessionReader } from '../src/index.ts';
import { painter, settledUntil, type TranscriptOptions, transcript } from '../src/transcript.ts';
import { fixtureFolders } from './support.ts';

const options: TranscriptOptions = {
  width: 100,
  paint: painter({ colour: false }),
  tools: 'full',
  thinking: true,
  meta: true,
};

const pageOf = (session: SessionReader, more: Partial<TranscriptOptions> = {}) =>
  [...transcript(session, { ...options, ...more })].join('');

/** As `show` does it: the beginning up to its last turn, then the rest of the whole. */
function inTwoParts(folder: string, share: number): { whole: string; parts: string }[] {
  return openHome({ homes: [join(folder, 'native')] }).families.flatMap((family) => {
    const longest = Math.max(...family.files.map(({ bytes }) => bytes));
    const beginning = family.openBeginning(Math.floor(longest * share));
    const all = family.open();
    const [first, session] = [beginning?.sessions[0], all.sessions[0]];
    if (first === undefined || session === undefined) return [];
    const until = settledUntil(first, beginning?.unsettled_from ?? null);
    const parts = until === 0 ? pageOf(session) : pageOf(first, { until }) + pageOf(session, { from: until });
    return [{ whole: pageOf(session), parts }];
  });
}

describe.each(['claude-code', 'codex', 'gemini'])('%s', (agent) => {
  test.each([0.2, 0.35, 0.5, 0.65, 0.8, 0.95])('%d of each file first, then the rest', (share) => {
    const differing = fixtureFolders(agent).filter((folder) =>
      inTwoParts(folder, share).some(({ whole, parts }) => whole !== parts),
    );
    expect(differing.map((folder) => folder.split('/').at(-1))).toEqual([]);
  });
});
