// `pal clone`, `pal doctor` and `pal validate --native`, as people run them.

import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pal, root, temporaryFolder } from './support.ts';

const ID = '0000c10e-0000-4000-8000-000000000000';

/** A home with the session, last written long ago, and a folder for its project. */
function homeWith(fixture: string): { home: string; project: string; folder: string } {
  const home = temporaryFolder();
  cpSync(join(root, 'fixtures', 'claude-code', fixture, 'native'), home, { recursive: true });
  const projects = join(home, '.claude', 'projects');
  const folder = join(projects, readdirSync(projects)[0] ?? '');
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1_780_000_000, 1_780_000_000);
  const project = join(home, 'shop');
  mkdirSync(project);
  return { home, project, folder };
}

function answerOf(out: string): Record<string, unknown> {
  return (JSON.parse(out) as { value: Record<string, unknown> }).value;
}

describe('pal clone', () => {
  test('writes a session that only its owner may read, beside the other, and ends with the command that goes on with it', () => {
    const { home, project, folder } = homeWith('clone-ways');
    const before = readFileSync(join(folder, `${ID}.jsonl`));
    const { code, out, err } = pal(['clone', '0000c10e', '--strip-tools', '--into', project], { home });
    const written = readdirSync(join(home, '.claude', 'projects', project.replace(/[^a-zA-Z0-9]/g, '-')));
    const id = (written[0] ?? '').replace('.jsonl', '');
    const path = join(home, '.claude', 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`);
    expect({
      code,
      err,
      files: written.length,
      mode: statSync(path).mode & 0o777,
      last: out.trim().split('\n').at(-1),
    }).toEqual({
      code: 0,
      err: '',
      files: 1,
      mode: 0o600,
      last: `cd ${project} && claude --resume ${id}`,
    });
    expect(readFileSync(join(folder, `${ID}.jsonl`)).equals(before)).toBe(true);
  });

  test('is told of at its origin, however many rows a list has', () => {
    const { home, project } = homeWith('clone-ways');
    for (const title of ['first', 'second']) pal(['clone', ID, '--into', project, '--title', title], { home });
    const [all, one] = [pal(['ls'], { home }), pal(['ls', '-n', '1'], { home })];
    expect([all.out.split('\n').length, all.out.includes('(+2 copies)'), one]).toEqual([2, true, all]);
  });

  test('is linked to its origin, and counts nothing twice', () => {
    const { home, project } = homeWith('clone-ways');
    const { session_id } = answerOf(pal(['clone', ID, '--into', project, '--json'], { home }).out);
    const exported = pal(['export', String(session_id)], { home }).out;
    const { session, rejections } = JSON.parse(exported) as {
      session: { lineage: Record<string, unknown>; usage: { input_tokens: number }; title: string };
      rejections: unknown[];
    };
    expect({ lineage: session.lineage, tokens: session.usage.input_tokens, title: session.title, rejections }).toEqual({
      lineage: { parent: null, forked_from: null, cleared_from: null, cloned_from: ID, subagents: [] },
      tokens: 0,
      title: 'Totals to cents (copy)',
      rejections: [],
    });
  });

  test('made for another folder it is found there, also where only a summary is left', () => {
    const { home, project } = homeWith('clone-ways');
    const copies = [[], ['--compress-turns', '1-3']].map((more) => {
      const { session_id } = answerOf(pal(['clone', ID, '--into', project, '--json', ...more], { home }).out);
      return pal(['resume', String(session_id)], { home }).out === `cd ${project} && claude --resume ${session_id}\n`;
    });
    expect(copies).toEqual([true, true]);
  });

  test('a summary that was written into a copy is no compaction', () => {
    const { home, project } = homeWith('clone-ways');
    const args = ['clone', ID, '--compress-turns', '1-2', '--into', project, '--json'];
    const { session_id } = answerOf(pal(args, { home }).out);
    const { compaction, context } = JSON.parse(pal(['export', String(session_id)], { home }).out) as {
      compaction: { boundaries: unknown[] };
      context: { windows: { opened_by: string; event_id: string | null }[] };
    };
    expect([compaction.boundaries, context.windows.map(({ opened_by, event_id }) => [opened_by, event_id])]).toEqual([
      [],
      [['compaction', null]],
    ]);
  });

  test('where nobody says how many turns stay whole, a budget keeps as many as it can', () => {
    const { home } = homeWith('clone-ways');
    const { out } = pal(['clone', ID, '--budget', '19500', '--dry-run'], { home });
    expect(out).toContain('It fits with step 4, older tool calls as notes; the newest turn stays whole.');
  });

  test('--dry-run shows every rung and writes nothing', () => {
    const { home, folder } = homeWith('clone-ways');
    const { code, out } = pal(['clone', ID, '--budget', '20k', '--keep-last', '1', '--dry-run'], { home });
    expect({ code, out, files: readdirSync(folder) }).toEqual({
      code: 0,
      out: expect.stringContaining(
        'It fits with step 4, older tool calls as notes; the newest turn stays whole.',
      ) as unknown,
      files: [`${ID}.jsonl`],
    });
  });

  test('a command is not asked for a summary that nobody needs, nor for a look beforehand', () => {
    const { home, project } = homeWith('clone-ways');
    const clone = (...more: string[]) => {
      const { code, err } = pal(['clone', ID, '--summarize-with', 'exit 3', ...more], { home });
      return [code, err];
    };
    const notRun =
      'The command of --summarize-with was not run (--dry-run): the summary, and its tokens, are those of the built-in one.\n';
    expect([
      clone('--budget', '500k', '--into', project),
      clone('--budget', '500k', '--dry-run'),
      clone('--compress', '--keep-last', '1', '--dry-run'),
    ]).toEqual([
      [0, ''],
      [0, ''],
      [0, notRun],
    ]);
  });

  test('what only the last requests had, and the session does not record, stands in the way of no budget', () => {
    const { home, folder } = homeWith('clone-ways');
    const path = join(folder, `${ID}.jsonl`);
    const rows = readFileSync(path, 'utf8').split('\n');
    const grown = rows.map((row, i) =>
      i < 16 ? row : row.replace('"cache_read_input_tokens":20000', '"cache_read_input_tokens":50000'),
    );
    writeFileSync(path, grown.join('\n'));
    utimesSync(path, 1_780_000_000, 1_780_000_000);
    const { code, out, err } = pal(['clone', ID, '--budget', '25k', '--dry-run', '--json'], { home });
    const { tokens } = answerOf(out) as { tokens: { fixed: number; before: Record<string, number>; fits: boolean } };
    const { fixed, before, fits } = tokens;
    const told = { code, err, fits, fixed, before: [before.total, before.not_recorded] };
    expect(told).toEqual({ code: 0, err: '', fits: true, fixed: 20_939, before: [51_570, 27_148] });
    expect(pal(['clone', ID, '--budget', '25k', '--dry-run'], { home }).out).toContain(
      'A copy is counted without it; tools that are still there come on top.\n',
    );
  });

  test('under a budget a command is asked once, for the summary that is taken, and not at all where nothing fits', () => {
    const { home, project } = homeWith('clone-ways');
    const runs = join(home, 'runs');
    const clone = (budget: string, command: string) => {
      writeFileSync(runs, '');
      const summed = `echo run >> ${runs}; ${command}`;
      const args = ['clone', ID, '--budget', budget, '--into', project, '--json', '--summarize-with', summed];
      const { code } = pal(args, { home });
      return [code, readFileSync(runs, 'utf8').split('\n').length - 1];
    };
    expect([
      clone('19150', 'echo Three turns.'),
      clone('19150', 'head -c 2000'),
      clone('18k', 'echo Three turns.'),
    ]).toEqual([
      [0, 1],
      [1, 1],
      [1, 0],
    ]);
  });

  test('what was asked for and did nothing is said', () => {
    const { home, project } = homeWith('clone-ways');
    const said = (...more: string[]) => pal(['clone', ID, '--into', project, ...more], { home }).err;
    expect([
      said('--strip-tools', '--tool', 'bash'),
      said('--compress'),
      said('--at', '6'),
      said('--compress-turns', '1-99'),
    ]).toEqual([
      'It has no calls of bash. Its tools: Read, Bash, Edit, Screenshot, Write.\n',
      'Nothing was summed up: it has 3 turns, and the newest 5 stay whole (--keep-last).\n',
      'Message 6 stands within a turn: the copy ends with message 2, the last that the agent said whole.\n',
      'All of its turns were summed up: none stays as it was.\n',
    ]);
  });

  test('a summary by a command, and what happens where it fails', () => {
    const { home, project } = homeWith('clone-ways');
    const clone = (...more: string[]) =>
      pal(['clone', ID, '--compress-turns', '1-2', '--into', project, '--json', ...more], { home });
    const good = clone('--summarize-with', 'wc -l | tr -d " "; echo lines');
    const bad = clone('--summarize-with', 'echo no >&2; exit 3');
    const slow = clone('--summarize-with', 'sleep 5', '--summarize-timeout', '1');
    const fallback = clone('--summarize-with', 'exit 3', '--summarize-fallback');
    expect(answerOf(good.out).summary).toMatch(/^\d+\nlines$/);
    expect([bad.code, bad.err, bad.out]).toEqual([
      1,
      'The command of --summarize-with failed (3): no.\nNothing was written. --summarize-fallback takes the built-in summary where that happens.\n',
      '',
    ]);
    expect([slow.code, slow.err.split('\n')[0]]).toEqual([
      1,
      'The command of --summarize-with took longer than 1 second.',
    ]);
    expect([fallback.code, answerOf(fallback.out).summary]).toEqual([
      0,
      expect.stringContaining('# Summary of earlier turns'),
    ]);
  });

  test('of a project that was moved: among the sessions of the newer folder', () => {
    const { home, project, folder } = homeWith('clone-ways');
    const text = readFileSync(join(folder, `${ID}.jsonl`), 'utf8').replaceAll('/home/me/shop', '/gone/shop');
    const moved = text.replaceAll('"cwd":"/gone/shop"', `"cwd":${JSON.stringify(project)}`);
    const newer = join(home, '.claude', 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'));
    mkdirSync(newer);
    writeFileSync(join(folder, `${ID}.jsonl`), text);
    writeFileSync(join(newer, `${ID}.jsonl`), moved);
    utimesSync(join(folder, `${ID}.jsonl`), 1_780_000_000, 1_780_000_000);
    utimesSync(join(newer, `${ID}.jsonl`), 1_780_000_100, 1_780_000_100);
    const { file, project: run_in } = answerOf(pal(['clone', ID, '--json'], { home }).out);
    expect({ folder: dirname(String(file)), run_in }).toEqual({ folder: newer, run_in: project });
  });

  test('of a session that was moved along with its project: both go on in the newer folder', () => {
    const { home, project, folder } = homeWith('clone-ways');
    const older = join(home, 'older');
    mkdirSync(older);
    const text = readFileSync(join(folder, `${ID}.jsonl`), 'utf8').replace('"/home/me/shop"', JSON.stringify(older));
    const newer = join(home, '.claude', 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'));
    renameSync(folder, newer);
    const path = join(newer, `${ID}.jsonl`);
    writeFileSync(path, text.replaceAll('"/home/me/shop"', JSON.stringify(project)));
    utimesSync(path, 1_780_000_000, 1_780_000_000);
    expect([
      pal(['resume', ID], { home }).out,
      answerOf(pal(['resume', ID, '--json'], { home }).out).project,
      answerOf(pal(['clone', ID, '--json'], { home }).out).project,
    ]).toEqual([`cd ${project} && claude --resume ${ID}\n`, project, project]);
  });

  test('a session that has just been written to is copied up to its last whole turn, and that is said', () => {
    const { home, project, folder } = homeWith('clone-ways');
    const path = join(folder, `${ID}.jsonl`);
    const now = 1_780_000_100;
    const env = { PALIMPSEST_NOW: new Date((now + 3) * 1000).toISOString() };
    const last = JSON.parse(readFileSync(path, 'utf8').match(/.*On main.*/)?.[0] ?? '') as { uuid: string };
    const message = { role: 'user', content: 'A prompt that is being answered.' };
    const row = { type: 'user', parentUuid: last.uuid, uuid: 'u-open', sessionId: ID, isSidechain: false, message };
    appendFileSync(path, `${JSON.stringify({ ...row, timestamp: '2026-09-01T11:00:00.000Z' })}\n`);
    utimesSync(path, now, now);
    const { code, err, out } = pal(['clone', ID, '--into', project, '--json', '--messages'], { home, env });
    const { messages } = answerOf(out) as { messages: { blocks: string[] }[] };
    expect([code, err, messages.at(-1)?.blocks]).toEqual([
      0,
      'The session is being written: the copy ends with its last whole turn.\n',
      ['thinking Easy.', 'text On main.'],
    ]);
  });
});

describe('what cannot be done is said, and nothing is left behind', () => {
  const { home, project, folder } = homeWith('clone-ways');
  const loose = join(home, 'anywhere.jsonl');
  cpSync(join(folder, `${ID}.jsonl`), loose, { preserveTimestamps: true });
  const wrong: [string, string[], string][] = [
    ['an unknown id', ['clone', 'ffff'], 'No session "ffff", by id or by title.'],
    ['a project that is gone', ['clone', ID], 'The folder of its project is gone: /home/me/shop\nGive the folder'],
    ['a folder that is not there', ['clone', ID, '--into', '/nowhere'], 'There is no folder /nowhere.'],
    [
      'the same, before anything is written',
      ['clone', ID, '--into', '/nowhere', '--dry-run'],
      'There is no folder /nowhere.',
    ],
    ['an empty title, before anything is written', ['clone', ID, '--title', '', '--dry-run'], '--title is empty.'],
    [
      'a budget that cannot be met',
      ['clone', ID, '--budget', '10', '--into', project],
      "No copy fits into 10 tokens: the agent's own instructions and tools alone are about 18,883.",
    ],
    [
      'a budget that is none',
      ['clone', ID, '--budget', 'much'],
      "error: option '--budget <tokens>' argument 'much' is invalid. It is a number of tokens such as 60000 or 60k.",
    ],
    [
      'turns with a gap',
      ['clone', ID, '--compress-turns', '2-3'],
      "error: option '--compress-turns <ranges>' argument '2-3' is invalid. Everything before the kept turns is replaced",
    ],
    [
      'two kinds of summaries',
      ['clone', ID, '--compress', '--compress-turns', '1-2', '--into', project],
      'Give --compress for all but the newest turns',
    ],
    [
      'a tool without what to do',
      ['clone', ID, '--tool', 'Bash', '--into', project],
      '--tool says which tools --strip-tools is about',
    ],
    ['a message that is not there', ['clone', ID, '--at', '999', '--into', project], 'There is no message 999'],
    ['a file that lies anywhere', ['clone', loose], 'The file lies where its agent does not look.'],
    [
      'a tool that was never called, said',
      ['clone', ID, '--strip-tools', '--tool', 'Nope', '--at', '0', '--into', project],
      'Nothing whole was said up to message 0',
    ],
    [
      'a summary of nothing',
      ['clone', ID, '--summarize-with', 'cat', '--into', project],
      '--summarize-with makes the summary of --compress',
    ],
    ['the samples', ['clone', 'last:claude', '--sample'], 'The samples are only for looking at: add --dry-run.'],
  ];
  test.each(wrong)('%s', (_, args, message) => {
    const { code, out, err } = pal(args, { home });
    expect({ code, out, err, files: readdirSync(folder) }).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining(message) as unknown,
      files: [`${ID}.jsonl`],
    });
  });

  test('agents whose sessions cannot be written', () => {
    const codex = join(root, 'fixtures', 'codex', 'exec-patch', 'native');
    expect(pal(['clone', 'last', '--home', codex])).toEqual({
      code: 1,
      out: '',
      err: 'Sessions of Codex cannot be written yet: only those of Claude Code.\n',
    });
  });

  test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to', () => {
    const closed = homeWith('clone-ways');
    const projects = join(closed.home, '.claude', 'projects');
    chmodSync(projects, 0o500);
    const { code, err } = pal(['clone', ID, '--into', closed.project], { home: closed.home });
    chmodSync(projects, 0o700);
    expect([code, err]).toEqual([1, expect.stringContaining('permission denied. Nothing was left behind.')]);
  });
});

describe('pal doctor', () => {
  test('a session that would lose messages, and its repaired copy', () => {
    const { home, project, folder } = homeWith('broken-sessions');
    const told = pal(['doctor', '0000d0c3'], { home });
    expect([told.code, told.out]).toEqual([
      1,
      expect.stringContaining('A resume would send 6 of 10 messages.\n✗ Line 6 hangs on nothing'),
    ]);
    const fixed = pal(['doctor', '0000d0c3', '--fix', '--into', project, '--json'], { home });
    const { file } = answerOf(fixed.out);
    expect([fixed.code, fixed.err]).toEqual([
      0,
      'The chain was joined where it began anew.\nA resume of the copy sends 10 of 10 messages; of the session it would send 6 of 10.\n',
    ]);
    expect(pal(['validate', '--native', String(file)], { home })).toEqual({
      code: 0,
      out: '',
      err: 'A resume would send 10 of 10 messages.\n',
    });
    expect(existsSync(join(folder, '0000d0c3-0000-4000-8000-000000000000.jsonl'))).toBe(true);
  });

  test('a session of which only subagents are left is not called broken', () => {
    const home = join(root, 'fixtures/claude-code/subagent-without-its-session/native');
    const { value } = JSON.parse(pal(['doctor', '--json'], { home }).out) as { value: { sessions: { id: string }[] } };
    expect(value.sessions.find(({ id }) => id.startsWith('00000019'))).toMatchObject({
      report: { sent: null, faults: [{ code: 'only-subagents', effect: 'normal', count: 1 }] },
    });
  });

  test('and nobody is told to resume or to repair it', () => {
    const home = join(root, 'fixtures/claude-code/subagent-without-its-session/native');
    const err = 'The session itself is gone: only files of its subagents are left. They can be read, not resumed.\n';
    const calls = [
      ['resume', '00000019'],
      ['doctor', '00000019', '--fix'],
    ];
    expect(calls.map((args) => pal(args, { home }))).toEqual(calls.map(() => ({ code: 1, out: '', err })));
  });

  test('where nobody knows what the client needs, nothing is called sound', () => {
    const path = 'fixtures/codex/killed/native/.codex';
    const [file = ''] = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(root, path, name));
    expect(pal(['validate', '--native', file])).toEqual({
      code: 1,
      out: '',
      err: `What the client of ${file} needs is not known: it can only be read.\n`,
    });
  });

  test('a whole history', () => {
    const { home } = homeWith('broken-sessions');
    const { code, out } = pal(['doctor'], { home, env: { PALIMPSEST_NOW: '2026-05-30T00:00:00Z' } });
    const told = out.split('\n').filter((line) => /^ {2}!|would not send whole/.test(line));
    expect([code, told]).toEqual([
      1,
      [
        '  ! messages whose parent is not in the file: 2 in 2 sessions',
        '  ! messages that stand in the file again: 8 in 1 session',
        '9 sessions that a resume would not send whole',
      ],
    ]);
  });

  test('a session with which nothing is wrong has nothing to repair', () => {
    const { home } = homeWith('broken-sessions');
    expect([pal(['doctor', '0000d0c1'], { home }).code, pal(['doctor', '0000d0c1', '--fix'], { home })]).toEqual([
      0,
      {
        code: 1,
        out: '',
        err: 'There is nothing to repair: a resume sends what is there. "pal clone" makes slimmer copies.\n',
      },
    ]);
  });

  test('Codex: how much of a rollout is written again', () => {
    const home = join(root, 'fixtures', 'codex', 'tui-compact-auto', 'native');
    const { code, out } = pal(['doctor', 'last', '--home', home]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/\d+ % of its bytes are histories that its \d+ compactions wrote down again\./),
    ]);
  });
});
