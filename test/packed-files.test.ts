// Files that the client packed (zstd): frames may follow one another, and what is none is told.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keeperIn, openHome, readSessions, type Session } from '../src/index.ts';
import { root, temporaryFolder } from './support.ts';

const NAME = '.codex/sessions/2026/01/10/rollout-2026-01-10T09-00-00-019ba700-0000-7000-8000-000000000001.jsonl';
const TEXT = readFileSync(join(root, 'fixtures/codex/rolled-back/native', NAME));
const HALF = 1 + TEXT.indexOf('\n', TEXT.length / 2);
const FIRST = zstdCompressSync(TEXT.subarray(0, HALF));
const SECOND = zstdCompressSync(TEXT.subarray(HALF));
/** Three bytes for another program. */
const SKIPPED = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

function homeWith(packed: Buffer): string {
  const home = temporaryFolder();
  mkdirSync(dirname(join(home, NAME)), { recursive: true });
  writeFileSync(join(home, `${NAME}.zst`), packed);
  return home;
}

function only(sessions: Iterable<Session>): Session | undefined {
  const [session, ...others] = sessions;
  expect(others).toEqual([]);
  return session;
}

const read = (packed: Buffer) => only(readSessions({ homes: [homeWith(packed)] }));
const whole = read(zstdCompressSync(TEXT));

test.each<[what: string, packed: Buffer[]]>([
  ['two frames', [FIRST, SECOND]],
  ['frames to be skipped', [SKIPPED, FIRST, SKIPPED, SECOND, SKIPPED]],
])('%s are read to the end', (_, parts) => {
  const session = read(Buffer.concat(parts));
  expect(session?.session.accounting.lines).toBe(whole?.session.accounting.lines);
  expect(session?.messages).toEqual(whole?.messages);
  expect(session?.diagnostics).toEqual([]);
});

test.each<[what: string, rest: Buffer]>([
  ['is no frame', Buffer.from('no frame at all')],
  ['was cut', SECOND.subarray(0, 40)],
])('behind a frame, what %s is told, and what was unpacked stands', (_, rest) => {
  const session = read(Buffer.concat([FIRST, rest]));
  const first = read(FIRST);
  expect(first?.messages.length).toBeGreaterThan(2);
  expect(session?.messages).toEqual(first?.messages);
  expect(session?.diagnostics.map(({ code, message }) => ({ code, message }))).toEqual([
    {
      code: 'read-error',
      message: `Reading ${NAME}.zst stopped: its last ${rest.length} bytes are no zstd, or were cut`,
    },
  ]);
});

test('a kept copy is unpacked in the same way', () => {
  const home = homeWith(Buffer.concat([FIRST, SECOND]));
  const kept = join(temporaryFolder(), 'kept');
  const keeper = keeperIn(kept, '2026-11-16T00:00:00.000Z');
  keeper.keep(openHome({ homes: [home] }).families.flatMap((family) => family.nativeFiles()));
  keeper.close();
  rmSync(join(home, '.codex'), { recursive: true });
  expect(only(readSessions({ homes: [home], kept }))?.messages).toEqual(whole?.messages);
});
