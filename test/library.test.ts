// The public library, and what it finds in homes.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proofOf } from '../scripts/request-proof.ts';
import {
  contextAt,
  type FoundFamily,
  openFile,
  openHome,
  openSession,
  planClone,
  readSessions,
  type SessionReader,
} from '../src/index.ts';
import { projectFolder } from '../src/sources/claude-code/files.ts';
import { fixtureFolders, root, temporaryFolder } from './support.ts';

test.each([
  ['posix', '/home/dev/src/claude/demo', '-home-dev-src-claude-demo'],
  ['a dot and a space', '/home/me/my app.v2', '-home-me-my-app-v2'],
  ['win32', 'C:\\Users\\me\\code\\app', 'C--Users-me-code-app'],
  ['letters beyond ASCII', '/home/zoë/src', '-home-zo--src'],
])('the folder of a project: %s', (_, cwd, folder) => {
  expect(projectFolder(cwd)).toBe(folder);
});

describe('what the model saw', () => {
  const proofs = fixtureFolders('claude-code').flatMap((folder) => {
    const home = join(folder, 'native');
    return [...readSessions({ homes: [home] })].map((session) => proofOf(session, home));
  });

  test('agrees with every request that the recordings hold', () => {
    const total = (count: (proof: (typeof proofs)[number]) => number) =>
      proofs.reduce((sum, proof) => sum + count(proof), 0);
    expect({
      wrong: proofs.flatMap((proof) => proof.wrong),
      requests: total((proof) => proof.requests),
      equal: total((proof) => proof.equal),
      unequalTexts: total((proof) => proof.texts - proof.equalTexts),
    }).toEqual({
      // The client had lost the result of the command that was stopped, and made one up; its file has the right one.
      wrong: [
        '.claude/projects/-home-dev-src-demo/24e92cc1-d600-4fc3-94f5-6717de32a119.jsonl line 30: message 3 was sent as "[Toolresultmissingduetointernalerror]Queuedone.", we say "Theuserdoesn\'twanttoproceedwiththistooluse.Thetoolusewasreje"',
      ],
      requests: 170,
      equal: 169,
      unequalTexts: 1,
    });
  });

  test('compares more than a hundred texts word for word', () => {
    expect(proofs.reduce((sum, proof) => sum + proof.texts, 0)).toBeGreaterThan(100);
  });
});

describe('the rule of contexts', () => {
  const message = (sent_before: number | null = null, sent = true) => ({ sent, sent_before });

  test('start, then what was sent from there on', () => {
    const windows = [
      { opened_at_index: 0, start: [] },
      { opened_at_index: 3, start: [[3, 3] as const, [1, 2] as const] },
    ];
    const messages = [message(), message(), message(), message(), message(null, false), message()];
    expect([contextAt(windows, messages, 2), contextAt(windows, messages, 5)]).toEqual([
      [0, 1, 2],
      [3, 1, 2, 5],
    ]);
  });

  test('what was sent before an earlier message stands before it, in its own order', () => {
    const messages = [message(), message(), message(0), message(), message(0)];
    expect(contextAt([{ opened_at_index: 0, start: [] }], messages, 4)).toEqual([2, 4, 0, 1, 3]);
  });

  test('before any window there is no context', () => {
    expect(contextAt([], [message()], 0)).toEqual([]);
  });
});

test('a session by its path, by its id, and one that is not there', () => {
  const home = join(root, 'fixtures/claude-code/p_agents/native');
  const id = 'b8494eaa-6a89-4666-a752-ef0337e568bb';
  const path = join(home, '.claude/projects/-home-dev-src-claude-demo', `${id}.jsonl`);
  const idOf = (name: string) => {
    const opened = openSession(name, { homes: [home] });
    opened?.close();
    return opened?.session.document.session.id;
  };
  expect([idOf(path), idOf(id), idOf('a2cfa5a24b48b0fbf'), idOf('nobody')]).toEqual([
    id,
    id,
    'a2cfa5a24b48b0fbf',
    undefined,
  ]);
});

test('a session larger than what is kept in memory is read in two passes, to the same document', () => {
  const home = temporaryFolder();
  const folder = join(home, '.claude/projects/-big');
  mkdirSync(folder, { recursive: true });
  const row = (i: number) => ({
    type: 'user',
    uuid: `u${i}`,
    parentUuid: i === 0 ? null : `u${i - 1}`,
    sessionId: 's',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: `${i} ${'é'.repeat(50_000)}` },
  });
  const rows = Array.from({ length: 600 }, (_, i) => JSON.stringify(row(i)));
  writeFileSync(join(folder, '00000000-0000-4000-8000-000000000001.jsonl'), `${rows.join('\n')}\n`);
  const [document] = readSessions({ homes: [home] });
  const texts = document?.messages
    .map((message) => message.content[0])
    .map((block) => (block?.type === 'text' ? block.text : ''));
  expect(texts).toEqual(Array.from({ length: 600 }, (_, i) => `${i} ${'é'.repeat(50_000)}`));
});

test('files that are no history are reported, not fatal', () => {
  const { families, diagnostics } = openHome({
    homes: [join(root, 'fixtures/claude-code/subagent-without-its-session/native')],
  });
  expect([families.length, diagnostics.map(({ code, message }) => [code, message])]).toEqual([
    2,
    [['foreign-file', '.claude/projects/-home-me-demo/notes.txt is no Claude Code session; it was left alone.']],
  ]);
});

test('a home without any agent is empty', () => {
  expect(openHome({ homes: [temporaryFolder()] })).toEqual({ families: [], diagnostics: [] });
});

/** A home with one session of the given rows. */
function homeOf(rows: object[]): string {
  const home = temporaryFolder();
  const folder = join(home, '.claude/projects/-x');
  mkdirSync(folder, { recursive: true });
  const lines = rows.map((row) =>
    JSON.stringify({ sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/x', ...row }),
  );
  writeFileSync(join(folder, '00000000-0000-4000-8000-000000000001.jsonl'), `${lines.join('\n')}\n`);
  return home;
}

function user(uuid: string, parentUuid: string | null, content: unknown): object {
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content } };
}

test('a prompt too long to read along says where its words are', () => {
  const [document] = readSessions({ homes: [homeOf([user('u1', null, 'x'.repeat(9 * 1024 * 1024))])] });
  const [block] = document?.messages[0]?.content ?? [];
  expect(block).toMatchObject({ type: 'text', text: { omitted_bytes: 9 * 1024 * 1024 } });
});

test('a session that begins with a screenshot is found by its project', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(400_000) } };
  const { families } = openHome({ homes: [homeOf([user('u1', null, [image, { type: 'text', text: 'Look' }])])] });
  expect(families.map((family) => family.peek())).toEqual([{ project: '/x', started_at: '2026-01-01T00:00:00.000Z' }]);
});

test('replies without an id of the API are messages of their own', () => {
  const reply = (uuid: string, parentUuid: string) => ({
    type: 'assistant',
    uuid,
    parentUuid,
    message: {
      id: '',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: uuid }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 5 },
    },
  });
  const [document] = readSessions({
    homes: [homeOf([user('u1', null, 'One'), reply('a1', 'u1'), user('u2', 'a1', 'Two'), reply('a2', 'u2')])],
  });
  expect([document?.messages.length, document?.session.usage.output_tokens]).toEqual([4, 10]);
});

test('a long session with thousands of rewinds is read in time that grows with its length', () => {
  const rows = Array.from({ length: 3000 }, (_, i) => [
    user(`u${i}`, i === 0 ? null : 'a0', `Prompt ${i}`),
    {
      type: 'assistant',
      uuid: `a${i}`,
      parentUuid: `u${i}`,
      message: {
        id: `m${i}`,
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'Yes' }],
        stop_reason: 'end_turn',
      },
    },
  ]).flat();
  const [document] = readSessions({ homes: [homeOf(rows)] });
  expect([document?.messages.length, (document?.rewinds.length ?? 0) > 1000, document?.messages.at(-1)?.live]).toEqual([
    6000,
    true,
    true,
  ]);
});

test('an export is in order also where a subagent, or another file of it, begins before a session, or is all that is left of it', () => {
  const home = temporaryFolder();
  const project = join(home, '.claude/projects/-p');
  const write = (path: string, time: string, more: object = {}) => {
    const row = {
      type: 'user',
      uuid: `${path} ${time}`,
      parentUuid: null,
      message: { role: 'user', content: 'hi' },
      ...more,
    };
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), `${JSON.stringify({ ...row, timestamp: `2026-05-04T10:${time}:00.000Z` })}\n`);
  };
  write('late.jsonl', '05');
  write('late/subagents/agent-a1.jsonl', '00', { isSidechain: true, sessionId: 'late' });
  write('between.jsonl', '02');
  // The larger of two files of a session is its main one.
  write('moved.jsonl', '04', { cwd: '/home/me/moved' });
  write('../-q/moved.jsonl', '01');
  write('gone/subagents/agent-b1.jsonl', '03', { isSidechain: true, sessionId: 'gone' });
  expect([...readSessions({ homes: [home] })].map(({ session }) => session.id)).toEqual([
    'a1',
    'moved',
    'between',
    'b1',
    'late',
  ]);
});

test('of a subagent that is given by its file, what lies beside it tells whose it is', () => {
  const [file = ''] = readdirSync(join(root, 'fixtures/claude-code/p_agents/native'), { recursive: true })
    .map(String)
    .filter((path) => /subagents\/agent-[^/]*\.jsonl$/.test(path))
    .sort();
  const open = openFile(join(root, 'fixtures/claude-code/p_agents/native', file))?.open();
  const [session] = open?.sessions ?? [];
  expect([session?.document.session.lineage.parent?.tool_call_id, session?.document.session.extra.agent_type]).toEqual([
    expect.stringMatching(/^toolu_/),
    'general-purpose',
  ]);
});

describe('what cannot be given is said', () => {
  const home = join(root, 'fixtures', 'claude-code', 'subagent-in-progress-rows', 'native');

  test('a subagent without a file of its own is found, and one that is not there is not', () => {
    const found = openSession('abc1234', { homes: [home] });
    expect(found?.session.document.session.id).toBe('abc1234');
    found?.close();
    expect(openSession('abc9999', { homes: [home] })).toBeUndefined();
  });

  test('messages that are not there, and handles that were closed', () => {
    const [family] = openHome({ homes: [home] }).families;
    const open = (family as FoundFamily).open();
    const session = open.sessions[0] as SessionReader;
    open.rest();
    expect(() => session.message(9999)).toThrow(`there is no message 9999: the session has ${session.messageCount}`);
    open.close();
    expect(() => session.message(0)).toThrow('The family that this session belongs to was closed.');
  });

  test.each([
    [{ budget: Number.NaN }, 'a budget is a number above zero, not NaN'],
    [{ at: -3 }, 'there is no message -3'],
    [{ at: 9999 }, 'there is no message 9999'],
  ])('a copy of %j', (options, message) => {
    const [family] = openHome({ homes: [home] }).families;
    const open = (family as FoundFamily).open();
    expect(() => planClone(open.sessions[0] as SessionReader, options)).toThrow(message);
    open.close();
  });
});
