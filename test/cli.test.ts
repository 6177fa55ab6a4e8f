// The commands as people run them: what is printed where, and the exit code.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Session, widthOf } from '../src/index.ts';
import { emptyHome as empty, pal, root, temporaryFolder } from './support.ts';

function fixture(name: string): string {
  return join(root, 'fixtures/claude-code', name, 'native');
}

function fileOf(name: string, id: string): string {
  return join(fixture(name), '.claude/projects/-home-dev-src-claude-demo', `${id}.jsonl`);
}

function expectedOf(name: string): Session[] {
  return JSON.parse(readFileSync(join(root, 'fixtures/claude-code', name, 'expected.json'), 'utf8'));
}

describe('export', () => {
  test('a home as NDJSON: one document a line, in order, as the library reads it', () => {
    const { code, out, err } = pal(['export'], { home: fixture('i_clear') });
    const documents = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, err, documents }).toEqual({ code: 0, err: '', documents: expectedOf('i_clear') });
  });

  test('a file alone has no links into a home; that it was born from a clear it tells itself', () => {
    const id = '1b13ad11-89d2-4912-828e-5ca7497fd59f';
    const document = JSON.parse(pal(['export', fileOf('i_clear', id)]).out) as Session;
    const clears = document.context_clears.map((event) => [
      event.after_message_index,
      event.next_session_id,
      event.timestamp,
    ]);
    expect([document.session.lineage.cleared_from, clears, document.session.source.files]).toEqual([
      null,
      [[null, id, '2026-11-15T18:16:11.288Z']],
      [{ path: `${id}.jsonl`, role: 'main', bytes: 33341 }],
    ]);
  });

  test('a file with its subagents, which its name ties to it', () => {
    const { out } = pal(['export', fileOf('p_agents', 'b8494eaa-6a89-4666-a752-ef0337e568bb')]);
    const kinds = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Session).session.kind);
    expect(kinds).toEqual(['main', 'subagent', 'subagent']);
  });

  test('records: the session first, then everything else, one a line', () => {
    const { out } = pal(['export', '--format', 'records', 'cb387779'], { home: fixture('i_reject') });
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; session_id: string; value: unknown });
    const [document] = expectedOf('i_reject') as [Session];
    const ofType = (type: string) => lines.filter((line) => line.type === type).map((line) => line.value);
    expect([lines[0]?.type, lines[0]?.value]).toEqual(['session', document.session]);
    expect(ofType('message')).toEqual(document.messages);
    expect(ofType('tool_call')).toEqual(document.tool_calls);
    expect(ofType('rejection')).toEqual(document.rejections);
    expect(ofType('record')).toEqual(document.records);
    expect(new Set(lines.map((line) => line.session_id))).toEqual(new Set([document.session.id]));
  });

  test('--raw puts the native row into every record', () => {
    const { out } = pal(['export', '--raw', 'cb387779'], { home: fixture('i_reject') });
    const document = JSON.parse(out) as Session;
    const rows = readFileSync(fileOf('i_reject', 'cb387779-5bfc-450f-9c6a-376aba1401e0'), 'utf8').trimEnd().split('\n');
    expect(document.records.map((record) => record.data)).toEqual(
      document.records.map((record) => JSON.parse(rows[record.source.line - 1] ?? '')),
    );
  });

  test('a reader that goes away is no error', () => {
    const command = `"${process.execPath}" bin/palimpsest.js export --format records | head -n 1`;
    const ran = spawnSync('bash', ['-c', `set -o pipefail; ${command}`], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', HOME: empty, PALIMPSEST_HOME: fixture('i_tools') },
      encoding: 'utf8',
    });
    expect([ran.stdout.trimEnd().split('\n').length, ran.stderr]).toEqual([1, '']);
  });
});

describe('validate', () => {
  test('what export writes is valid', () => {
    const { out } = pal(['export'], { home: fixture('i_compact') });
    expect(pal(['validate', '-'], { input: out })).toEqual({ code: 0, out: '', err: '1 document, all valid.\n' });
    // What ends a line of text need not end a line of a file.
    const odd = out.replace('"title":"', '"title":"\u2028\u2029\u0085');
    expect(pal(['validate', '-'], { input: odd })).toEqual({ code: 0, out: '', err: '1 document, all valid.\n' });
  });

  test('a pretty-printed list of documents too', () => {
    expect(pal(['validate', join(root, 'fixtures/gemini/reject/expected.json')])).toMatchObject({ code: 0 });
  });

  test('a fault is named with its place, exit code 1', () => {
    const document = expectedOf('i_reject')[0] as Session;
    const broken = { ...document, turns: [{ ...document.turns[0], status: 'done' }] };
    const ran = pal(['validate', '-'], { input: JSON.stringify(broken) });
    expect([ran.code, ran.out.split(':', 2).join(':'), ran.err]).toEqual([
      1,
      'line 1: /turns/0/status',
      '1 fault in 1 document.\n',
    ]);
  });

  test('records are no documents, and it is said how to get those', () => {
    const { out } = pal(['export', '--format', 'records'], { home: fixture('i_compact') });
    expect(pal(['validate', '-'], { input: out })).toEqual({
      code: 1,
      out: 'line 1: This and what follows are records, one thing a line: only whole documents can be checked. "pal export" without --format records writes them.\n',
      err: '1 fault in 0 documents.\n',
    });
  });

  test('a line that is no JSON hides no other, and is told by its number', () => {
    const good = JSON.stringify(expectedOf('i_reject')[0]);
    const input = [good, '', '', '{"torn":', '{"type":"x"}', good].join('\n');
    const ran = pal(['validate', '-'], { input });
    const lines = ran.out.split('\n').map((line) => line.split(':', 1)[0]);
    expect([ran.out.split('\n')[0], new Set(lines), ran.err.split('\n')[0]]).toEqual([
      'line 4: This is not JSON.',
      new Set(['line 4', 'line 5', '']),
      '17 faults in 3 documents.',
    ]);
    const first = pal(['validate', '-'], { input: ['{"torn":', good].join('\n') });
    expect([first.out, first.err]).toEqual(['line 1: This is not JSON.\n', '1 fault in 1 document.\n']);
  });

  test.each([
    ['a file that is not there', ['validate', 'nowhere.json'], '', 'There is no file nowhere.json.\n'],
    ['nothing', ['validate', '-'], '', '- holds no document.\n'],
    ['no JSON', ['validate', '-'], 'hello', '1 fault in 0 documents.\n'],
    [
      "an agent's own rows",
      ['validate', '-'],
      '{"type":"user","uuid":"u"}',
      "17 faults in 1 document.\nSome are no documents of Palimpsest at all. To check an agent's own file, use --native.\n",
    ],
  ])('%s', (_, args, input, err) => {
    expect(pal(args, { input })).toMatchObject({ code: 1, err });
  });
});

describe('events, context, show, ls', () => {
  test('of a session that was used longer, what happened in the time that is asked for', () => {
    const home = join(root, 'fixtures/gemini/compressed-and-once-more/native');
    const count = (...args: string[]) =>
      (JSON.parse(pal(['events', '--json', ...args], { home }).out) as { value: unknown[] }).value.length;
    const noon = ['2026-10-10T09:00:10.000Z', '2026-10-10T09:00:11.000Z'];
    expect([
      count(),
      count('--since', noon[0] ?? ''),
      count('--since', noon[1] ?? ''),
      count('--until', noon[0] ?? ''),
    ]).toEqual([1, 1, 0, 0]);
  });

  test('a list has as many rows as are asked for, though sessions that went on share one', () => {
    const homes = ['claude-code/i_clear', 'gemini/v0_35_3'].map((name) => join(root, 'fixtures', name, 'native'));
    const ids = (limit: string) =>
      pal(['ls', '--limit', limit, ...homes.flatMap((home) => ['--home', home])])
        .out.trimEnd()
        .split('\n')
        .map((line) => line.slice(0, 8));
    expect([ids('1'), ids('2'), ids('3')]).toEqual([['23efd92e'], ['23efd92e', '3309d484'], ['23efd92e', '3309d484']]);
  });

  test('a row knows what it goes on from, also where that would be no row of the list', () => {
    const lines = (limit: string) => pal(['ls', '-n', limit], { home: fixture('i_clear') }).out;
    expect([lines('1').includes('(+2 earlier)'), lines('1')]).toEqual([true, lines('9')]);
  });

  test.each([
    ['a subagent', ['--event', 'rejection'], 'refused-in-a-subagent', ['00000073', '✗2']],
    ['earlier sessions', ['--event', 'clear'], 'i_clear', ['3309d484', '∅2']],
  ])('a row is found by what happened in %s, and shows it', (_, args, name, [id = '', mark = '']) => {
    const home = fixture(name);
    const { out } = pal(['ls', ...args], { home });
    expect([out.trimEnd().split('\n').length, out.slice(0, 8), out.includes(mark)]).toEqual([1, id, true]);
  });

  test('for programs, what happened in subagents stands apart', () => {
    const { out } = pal(['ls', '--event', 'rejection', '--json'], { home: fixture('refused-in-a-subagent') });
    const found = JSON.parse(out).value.map((session: Record<string, unknown>) => ({
      id: session.id,
      events: session.events,
      subagent_events: session.subagent_events,
    }));
    expect(found).toEqual([
      { id: '00000073-0000-4000-8000-000000000000', events: {}, subagent_events: { rejection: 2 } },
    ]);
  });

  test('what narrows a list, and finds nothing, is named', () => {
    const home = fixture('i_reject');
    expect(pal(['ls', '--model', 'zzz'], { home }).err).toBe('No session fits --model zzz.\n');
    const hint = 'Words are whole words: end one with * for those that begin so, or use --exact.';
    const searches = ['zzzz project:"a b" -tool:Bash', 'zzzz http://nowhere.example "foo agent:bar"'];
    const store = ['--store', temporaryFolder()];
    expect(
      searches.map((query) =>
        pal(['search', query, ...store], { home })
          .err.split('\n')
          .at(-2),
      ),
    ).toEqual([`Nothing was found that fits project:"a b" -tool:Bash. ${hint}`, `Nothing was found. ${hint}`]);
  });

  test('JSON of a session does not pretend to hold others', () => {
    const run = (option: string) => pal(['show', 'last', '--json', option], { home: fixture('i_clear') });
    expect([run('--follow'), run('--subagents')].map(({ code, out, err }) => [code, out, err.slice(0, 44)])).toEqual([
      [1, '', '--json gives one session: --follow does not '],
      [1, '', '--json gives one session: --subagents does n'],
    ]);
  });

  test('the message that --at names is shown, though it was never sent', () => {
    const { out } = pal(['show', 'last', '--at', '0', '--json'], { home: fixture('back-to-a-notice') });
    const { messages } = JSON.parse(out).value as { messages: { index: number; sent: boolean }[] };
    expect(messages.map(({ index, sent }) => [index, sent])).toEqual([[0, false]]);
  });

  test('--at names a message of the session that was asked for: those that follow are whole', () => {
    const home = fixture('i_clear');
    const sessions = JSON.parse(`[${pal(['export'], { home }).out.trimEnd().replaceAll('\n', ',')}]`) as Session[];
    const cleared = sessions.find(({ context_clears }) => context_clears.length > 0);
    const { code, out } = pal(['show', cleared?.session.id ?? '', '--follow', '--at', cleared?.messages[0]?.id ?? ''], {
      home,
    });
    expect([code, out.includes(`goes on in ${cleared?.context_clears[0]?.next_session_id}`)]).toEqual([0, true]);
  });

  test('events, newest first, with diffs', () => {
    const { code, out } = pal(['events', '--kind', 'rejection', '--diff'], { home: fixture('i_reject') });
    const lines = out.split('\n');
    expect(code).toBe(0);
    expect(lines[0]).toBe(
      '2026-11-15 18:14  cb387779 [40]  ✗ command refused: Bash, and 1 more with it · SCN:askbash A',
    );
    expect(lines.slice(1, 9)).toEqual([
      '2026-11-15 18:14  cb387779 [36]  ✗ edit refused: Edit — “Keep beta lower case, second time” · SCN:askbash A',
      '   --- /home/dev/src/claude/demo/a.txt',
      '   +++ /home/dev/src/claude/demo/a.txt',
      '   @@ -1,3 +1,3 @@',
      '    alpha',
      '   -beta',
      '   +BETA',
      '    gamma',
    ]);
  });

  test('kinds can be given several times, before or after the session', () => {
    const home = fixture('v2042_events');
    const before = pal(['events', '--kind', 'clear', '--kind', 'compaction', '3ec5'], { home })
      .out.trimEnd()
      .split('\n').length;
    const after = pal(['events', '3ec5', '--kind', 'rejection'], { home }).out.trimEnd().split('\n').length;
    expect([before, after, pal(['events', '--kind', 'surprise'], { home }).code]).toEqual([2, 2, 1]);
  });

  test('two homes at once', () => {
    const out = pal(['ls', '--flat', '--home', fixture('p_deny'), '--home', fixture('i_clear')]).out;
    expect(out.trimEnd().split('\n')).toHaveLength(8);
  });

  test('an uncertain event says so', () => {
    const { out } = pal(['events'], { home: fixture('refused-or-stopped') });
    expect(out).toContain('command refused: Bash [phrase; could be: interruption]');
  });

  test('context at a message, by index and by id', () => {
    const home = fixture('i_compact');
    const byIndex = pal(['context', '1a34', '--at', '33', '--json'], { home });
    const byId = pal(['context', '1a34', '--at', 'c0a87bf0-5e65-4cf5-b477-838f6448a7d5', '--json'], { home });
    const { value } = JSON.parse(byIndex.out) as { value: { at: number; messages: { index: number }[] } };
    expect(byId.out).toBe(byIndex.out);
    expect(value.messages.map((message) => message.index)).toEqual([
      20, 18, 30, 32, 21, 22, 23, 29, 24, 25, 26, 27, 28, 31, 33,
    ]);
  });

  test('show puts events in their place and leaves out control characters', () => {
    const { out } = pal(['show', 'last'], { home: fixture('v1100_events') });
    expect(out).toContain('SCN:plain I');
    const long = pal(['show', '2cd49b85'], { home: fixture('v1100_events') }).out;
    expect(long).toContain('━━ response interrupted by the user ━━');
    expect(long).toContain('━━ compaction (manual, 26 messages replaced) ━━');
    expect(long).not.toContain('\u001b');
  });

  test('how many of each: most first, as a table and as data', () => {
    const home = fixture('i_reject');
    const { out } = pal(['events', '--by', 'tool'], { home });
    const { value } = JSON.parse(pal(['events', '--by', 'tool', '--json'], { home }).out) as { value: unknown };
    expect(out).toBe('Bash  4  4  2026-11-15\nEdit  2  2  2026-11-15\n');
    expect(value).toEqual([
      { name: 'Bash', total: 4, kinds: { rejection: 4 }, newest: '2026-11-15T18:14:31.956Z' },
      { name: 'Edit', total: 2, kinds: { rejection: 2 }, newest: '2026-11-15T18:14:26.121Z' },
    ]);
  });

  test('ls shows the newest of a thread; --flat shows all; a clear that is only a guess folds nothing', () => {
    const titles = (args: string[], home: string) =>
      pal(['ls', ...args], { home }).out.match(/(SCN|plan):.+?(?= {2})/g);
    expect(titles([], fixture('i_clear'))).toEqual(['SCN:plain four (+2 earlier)']);
    expect(titles(['--flat'], fixture('i_clear'))).toEqual(['SCN:plain four', 'SCN:plain two', 'SCN:plain one']);
    expect(titles([], join(root, 'fixtures/codex/tui-clear-new/native'))).toEqual([
      'plan:hello after clear',
      'plan:hello before clear',
    ]);
  });

  test('in a pipe no pager is looked for', () => {
    const { code, err } = pal(['show', 'last'], { home: fixture('i_reject'), env: { PAGER: 'nosuch' } });
    expect([code, err]).toEqual([0, '']);
  });

  test.each([
    ['what the client put in', 'i_misc', 'd3c6301b 8', "Today's date is 2026-11-15."],
    ['a notice that was never sent', 'api-errors', '00000006 8', 'Prompt is too long'],
    ['what the model thought', 'clone-ways', '0000c10e 7', '(thinking) They want cents.'],
  ])('show --at shows all of that message: %s', (_, name, at, words) => {
    const [id = '', index = ''] = at.split(' ');
    expect(pal(['show', id, '--at', index], { home: fixture(name) }).out).toContain(words);
  });

  test('show --at and --layers live show the events of what is shown, no others', () => {
    const rules = (args: string[], name: string) =>
      pal(['show', 'last', ...args], { home: fixture(name) }).out.match(/^━━ \w+/gm)?.length ?? 0;
    expect([rules(['--at', '0'], 'i_reject'), rules(['--at', '20'], 'i_reject'), rules([], 'i_reject')]).toEqual([
      0, 3, 6,
    ]);
    expect([rules(['--layers', 'live'], 'i_compact'), rules([], 'i_compact')]).toEqual([1, 2]);
  });

  test('the hint for older sessions repeats what was asked for', () => {
    const home = fixture('p_deny');
    const args = ['ls', '--limit', '1', '--flat', '--agent', 'claude-code', '--event', 'denial', '--home', home];
    expect(pal(args).err).toMatch(
      /^\n… and \d+ older sessions? not looked at: pal ls --limit 5 --agent claude-code --event denial --flat --home \S+p_deny\/native\n$/,
    );
  });

  test('ls folds subagents; --flat does not', () => {
    const home = fixture('p_agents');
    const [folded, flat] = [pal(['ls'], { home }).out, pal(['ls', '--flat'], { home }).out].map(
      (out) => out.trimEnd().split('\n').length,
    );
    expect([folded, flat]).toEqual([1, 3]);
  });

  test('without a name: the newest session of the current folder', () => {
    const cwd = temporaryFolder();
    const home = temporaryFolder();
    mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
    const row = {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: 's',
      cwd,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'user', content: 'Here' },
    };
    writeFileSync(
      join(home, '.claude/projects/-x/00000000-0000-4000-8000-000000000001.jsonl'),
      `${JSON.stringify(row)}\n`,
    );
    expect(pal(['show'], { home, cwd }).out.split('\n')[0]).toBe('Here');
  });
});

describe('wrong input', () => {
  const home = fixture('p_deny');

  test.each([
    ['an unknown id', ['show', 'ffff'], 'No session "ffff", by id or by title. "pal ls" shows what there is.\n'],
    [
      'a folder without sessions',
      ['export', empty],
      `There is no session in ${empty}.\nGive a home folder (one that holds .claude or .codex or .gemini), a folder of session files, or a file.\n`,
    ],
    ['a file that is not there', ['export', './none.jsonl'], 'There is no file ./none.jsonl.\n'],
    [
      'a file that is no session',
      ['export', join(root, 'package.json')],
      `${join(root, 'package.json')} is no session of an agent that Palimpsest reads: claude-code, codex, gemini.\n`,
    ],
    [
      'a home that is not there',
      ['ls', '--home', '/nowhere'],
      'There is no folder /nowhere.\nGive a home folder with --home, one that holds .claude or .codex or .gemini.\n',
    ],
    [
      'a message that is not there',
      ['context', '8637364b', '--at', '99'],
      'There is no message 99: session 8637364b-e3ae-42a6-8048-134adcd7cc94 has 12 (0 to 11).\n',
    ],
    [
      'a date that is none',
      ['ls', '--since', 'tomorrowish'],
      '--since takes a date such as 2026-11-01 or a number of days such as 7d, not "tomorrowish".\n',
    ],
    [
      'a day that is none',
      ['ls', '--since', '2026-02-30'],
      '--since takes a date such as 2026-11-01 or a number of days such as 7d, not "2026-02-30".\n',
    ],
    [
      'an empty name',
      ['show', ''],
      'An empty name is no session. Give an id, the beginning of one, or a title: "pal ls" shows them.\n',
    ],
    ['too far back', ['show', 'last~9'], 'There is no "last~9": 5 sessions were found.\n'],
    ['filters that leave nothing', ['ls', '--project', 'elsewhere'], 'No session fits --project elsewhere.\n'],
  ])('%s: one clear message, exit code 1', (_, args, err) => {
    expect(pal(args, { home })).toEqual({ code: 1, out: '', err });
  });

  test('an ambiguous prefix names what it could be', () => {
    const { code, err } = pal(['show', 'e'], { home: fixture('p_deny'), env: { TZ: 'Asia/Tokyo' } });
    expect([code, err]).toEqual([
      1,
      '2 sessions begin with "e". Give more of the id:\n' +
        '  eae9e922-2c27-4e8a-8c33-3ecaacb049ea  2026-11-16 03:18  /home/dev/src/claude/demo\n' +
        '  ee388bbb-bf8f-4532-9e62-1ca5755e0922  2026-11-16 03:18  /home/dev/src/claude/demo\n',
    ]);
  });

  test.each([
    [
      'a title',
      'Do it',
      '2 sessions are called, or begin with, "Do it". Name one by its id:\n' +
        '  a1111  2026-05-04 10:00  /home/me/demo\n' +
        '  a2222  2026-05-04 10:00  /home/me/demo\n',
    ],
    [
      'an id',
      '000000',
      '2 sessions begin with "000000". Give more of the id:\n' +
        '  00000001-0000-4000-8000-000000000000  2026-05-04 10:00  /home/me/demo  (only subagents are left)\n' +
        '  00000002-0000-4000-8000-000000000000  2026-05-04 10:00  /home/me/demo  (only subagents are left)\n',
    ],
  ])('of sessions of which only subagents are left, these are named: %s', (_, name, told) => {
    const home = temporaryFolder();
    for (const number of ['1', '2']) {
      const folder = `.claude/projects/-home-me-demo/0000000${number}-0000-4000-8000-000000000000/subagents`;
      mkdirSync(join(home, folder), { recursive: true });
      const native = '.claude/projects/-home-me-demo/00000019-0000-4000-8000-000000000000/subagents';
      copyFileSync(
        join(fixture('subagent-without-its-session'), native, 'agent-a0123456789abcdef.jsonl'),
        join(home, folder, `agent-a${number.repeat(4)}.jsonl`),
      );
    }
    expect(pal(['show', name], { home })).toEqual({ code: 1, out: '', err: told });
  });

  test('an unknown option or command', () => {
    expect([pal(['ls', '--wrong']).code, pal(['frobnicate']).code]).toEqual([1, 1]);
  });

  test('links that go nowhere or in a circle are said, and hide nothing', () => {
    const other = temporaryFolder();
    const project = join(other, '.claude/projects/-x');
    mkdirSync(project, { recursive: true });
    symlinkSync(join(other, '.claude/projects'), join(project, 'circle'));
    symlinkSync(join(other, 'nowhere'), join(project, 'gone.jsonl'));
    const id = '8637364b-e3ae-42a6-8048-134adcd7cc94';
    copyFileSync(fileOf('p_deny', id), join(project, `${id}.jsonl`));
    const { code, out, err } = pal(['ls'], { home: other });
    expect([code, out.slice(0, 8), err.split('\n')]).toEqual([
      0,
      '8637364b',
      [
        '.claude/projects/-x/circle leads to a folder that was read already; it was not read again.',
        'Cannot read .claude/projects/-x/gone.jsonl: it leads nowhere. Everything else was read.',
        '',
      ],
    ]);
  });
});

describe('strange histories', () => {
  function homeWith(files: Record<string, string>): string {
    const home = temporaryFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(home, '.claude/projects/-x', path, '..'), { recursive: true });
      writeFileSync(join(home, '.claude/projects/-x', path), text);
    }
    return home;
  }
  const row = (uuid: string, content: unknown, more: object = {}) =>
    `${JSON.stringify({ type: 'user', uuid, parentUuid: null, sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z', message: { role: 'user', content }, ...more })}\n`;
  const [one, two] = ['00000000-0000-4000-8000-000000000001.jsonl', '00000000-0000-4000-8000-000000000002.jsonl'];

  test('a value nested deeper than can be written hides nothing', () => {
    const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
    const reply = `{"type":"assistant","uuid":"a1","parentUuid":null,"sessionId":"s","message":{"id":"m","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"X","input":${deep}}]}}\n`;
    const { code, out } = pal(['export'], { home: homeWith({ [one]: reply, [two]: row('u1', 'Plain') }) });
    expect([
      code,
      out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Session).messages.length),
    ]).toEqual([0, [1, 1]]);
  });

  test('and every command goes on', () => {
    const deep = `${'['.repeat(20_000)}"needle"${']'.repeat(20_000)}`;
    const reply = `{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01.000Z","message":{"id":"m","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"X","input":${deep}}]}}\n`;
    const refused = row('u2', [{ type: 'tool_result', tool_use_id: 't', content: 'x', is_error: true }], {
      parentUuid: 'a1',
      toolUseResult: 'User rejected tool use',
    });
    const home = homeWith({ [one]: row('u1', 'Plain') + reply + refused });
    // Nobody writes it any more.
    utimesSync(join(home, '.claude/projects/-x', one), 0, 0);
    const store = ['--store', join(home, 'store')];
    const asked = [
      ['index', ...store],
      ['search', 'Plain', ...store],
      ['clone', 'last', '--dry-run'],
      ['doctor'],
      ['events'],
      ['stats'],
    ];
    expect(asked.map((args) => pal(args, { home }).code)).toEqual([0, 0, 0, 0, 1, 0]);
  });

  test('a name that is no text is told as such', () => {
    const home = homeWith({ [one]: row('u1', 'Plain') });
    writeFileSync(Buffer.from(`${join(home, '.claude/projects/-x')}/bad\xff.jsonl`, 'latin1'), '');
    const { code, err } = pal(['ls'], { home });
    expect([code, err]).toEqual([
      0,
      'Cannot read .claude/projects/-x/bad\ufffd.jsonl: its name is no UTF-8. Everything else was read.\n',
    ]);
  });

  test('control sequences in names do not reach the terminal', () => {
    const home = homeWith({ [one]: row('u1', 'Hi', { cwd: '/x\u001b[31mred' }) });
    expect([pal(['ls'], { home }).out, pal(['show', 'last'], { home }).out].join('')).not.toContain('\u001b');
  });

  test('a file that begins with a screenshot is known for what it is', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(1_500_000) } };
    const home = homeWith({ [one]: row('u1', [image, { type: 'text', text: 'Look' }]) });
    const ran = pal(['export', join(home, '.claude/projects/-x', one)]);
    expect([ran.code, (JSON.parse(ran.out) as Session).messages.length]).toEqual([0, 1]);
  });

  test('the title of a large session stands above it, though the end of the file tells it', () => {
    const prompts = ['first', 'second', 'third', 'fourth'].map((word) => row(word, word));
    const long = `${JSON.stringify({ type: 'file-history-snapshot', snapshot: 'x'.repeat(1024 * 1024) })}\n`.repeat(26);
    const title = `${JSON.stringify({ type: 'custom-title', customTitle: 'Told at last', sessionId: 'x' })}\n`;
    const home = homeWith({ [one]: [...prompts, long, title].join('') });
    expect(pal(['show', 'last'], { home }).out.split('\n')[0]).toBe('Told at last');
  });

  test('a title with a slash names its session', () => {
    const home = homeWith({ [one]: row('u1', 'fix src/app.ts') });
    expect(pal(['show', 'fix src/app.ts'], { home }).out.split('\n')[0]).toBe('fix src/app.ts');
  });

  test('a subagent that has no file of its own can be named', () => {
    expect(pal(['show', 'abc1234'], { home: fixture('subagent-in-progress-rows') }).out.split('\n')[0]).toBe(
      'Do the job',
    );
  });

  test('a subagent without a file is named by its own part of the id, as lists show it', () => {
    const home = fixture('v1100_events');
    const [, , row = ''] = pal(['ls', '--flat'], { home }).out.split('\n');
    expect([row.slice(0, 8), pal(['export', '505a8987'], { home }).out.length > 0]).toEqual(['505a8987', true]);
  });

  test('of a session whose own file is gone the project and the beginning are known, with an index and without', () => {
    const home = fixture('subagent-without-its-session');
    const env = { PALIMPSEST_DATA: join(temporaryFolder(), 'data') };
    const ids = () =>
      JSON.parse(pal(['ls', '--json', '--project', 'demo', '--until', '2026-05-05'], { home, env }).out).value.map(
        (session: { id: string }) => session.id,
      );
    const without = ids();
    pal(['index'], { home, env });
    expect([without, ids()]).toEqual([['a0123456789abcdef'], ['a0123456789abcdef']]);
  });

  test("an agent's own folder reads as the home that it is in", () => {
    const home = fixture('i_clear');
    const whole = pal(['export', home]);
    expect([whole.code, pal(['export', join(home, '.claude')])]).toEqual([0, whole]);
  });

  test('a project folder is read once, subagents and forks in their place', () => {
    const folder = join(fixture('p_agents'), '.claude/projects/-home-dev-src-claude-demo');
    const kinds = pal(['export', folder])
      .out.trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Session).session.kind);
    expect(kinds).toEqual(['main', 'subagent', 'subagent']);
  });

  test('a session and its subagent, both named, are both exported, once', () => {
    const home = fixture('p_agents');
    expect(pal(['export', 'b8494eaa', 'a2cfa5a2'], { home }).out.trimEnd().split('\n')).toHaveLength(3);
    expect(pal(['export', 'a2cfa5a2'], { home }).out.trimEnd().split('\n')).toHaveLength(1);
  });

  test('the same home given twice is one', () => {
    const home = fixture('p_deny');
    expect(
      pal(['ls', '--home', home, '--home', `${home}/`])
        .out.trimEnd()
        .split('\n'),
    ).toHaveLength(5);
  });

  test.each([
    ['sessions', ['ls', '--model', 'nosuch']],
    ['sessions', ['ls', '--project', 'nosuch']],
    ['events', ['events', '--kind', 'denial', '--since', '2030-01-01']],
    ['event-groups', ['events', '--by', 'tool', '--agent', 'gemini']],
    ['call-rates', ['usage', '--rates', '--project', 'nosuch']],
  ])('nothing found is an empty list of %s for programs, and the same exit code: %j', (kind, args) => {
    const home = fixture('i_reject');
    const env = { PALIMPSEST_DATA: join(temporaryFolder(), 'data') };
    const people = pal(args, { home, env });
    const { out, ...programs } = pal([...args, '--json'], { home, env });
    expect([people, { ...programs, answer: JSON.parse(out) }]).toEqual([
      { code: 1, out: '', err: people.err },
      { code: 1, err: people.err, answer: { version: 1, kind, value: [] } },
    ]);
  });

  test.each([
    ['stats', ['stats']],
    ['search', ['search', 'lock']],
    ['usage', ['usage']],
    ['keep', ['keep']],
    ['doctor', ['doctor']],
    ['overview', ['overview']],
  ])('and what is no list has its usual fields: %s', (kind, args) => {
    const home = fixture('i_reject');
    const env = { PALIMPSEST_DATA: join(temporaryFolder(), 'data') };
    const found = JSON.parse(pal([...args, '--json'], { home, env }).out);
    const { code, out } = pal([...args, '--json', '--project', 'nosuch'], { home, env });
    const empty = JSON.parse(out);
    expect([code, empty.kind, Object.keys(empty.value)]).toEqual([1, kind, Object.keys(found.value)]);
  });

  test('nothing found is exit code 1', () => {
    expect(pal(['events'], { home: fixture('p_plain') })).toEqual({
      code: 1,
      out: '',
      err: 'There is no such event in these sessions.\n',
    });
  });
});

describe('what is written', () => {
  test.each([
    [80, ['doctor', '--agent', 'claude-code']],
    [80, ['search', 'lock', '-n', '1']],
    [80, ['usage', '--rates']],
    [40, ['events']],
    [40, ['stats']],
  ])('on %i columns no line of %j is longer', (columns, args) => {
    const home = join(root, 'samples');
    const env = { COLUMNS: String(columns), PALIMPSEST_DATA: join(temporaryFolder(), 'data') };
    const { out, err } = pal(args, { home, env });
    const lines = `${out}${err}`.split('\n');
    expect([lines.length > 3, lines.filter((line) => widthOf(line) > columns)]).toEqual([true, []]);
  });

  test('a full disk is said, and is no bug of ours', () => {
    const ran = spawnSync('sh', ['-c', `"${process.execPath}" bin/palimpsest.js export --sample > /dev/full`], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: empty, PALIMPSEST_HOME: empty },
    });
    expect([ran.status, ran.stderr]).toEqual([1, 'Cannot write the output: ENOSPC: no space left on device, write.\n']);
  });

  test('what is nested deep is cut in JSON, and says so', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
    const id = '00000000-0000-4000-8000-000000000001';
    const input = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const row = `{"type":"assistant","uuid":"u","parentUuid":null,"sessionId":"${id}","timestamp":"2026-01-01T00:00:00.000Z","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"x","input":${input}}]}}`;
    writeFileSync(join(home, `.claude/projects/-x/${id}.jsonl`), `${row}\n`);
    const { code, out } = pal(['show', 'last', '--json'], { home });
    expect([code, out.includes('nested too deep')]).toEqual([0, true]);
  });

  test('names from a history cannot steer the terminal, also in errors', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.gemini/tmp/p/chats'), { recursive: true });
    const header = { sessionId: 'x\u001b[2J;--yolo', projectHash: 'ab', startTime: '2026-01-01T00:00:00.000Z' };
    const row = { id: 'm', timestamp: '2026-01-01T00:00:00.000Z', type: 'user', content: [{ text: 'hi' }] };
    writeFileSync(
      join(home, '.gemini/tmp/p/chats/session-2026-01-01T00-00-aaaaaaaa.jsonl'),
      [header, row].map((value) => `${JSON.stringify(value)}\n`).join(''),
    );
    const calls = [
      [],
      ['ls'],
      ['show', 'last'],
      ['context', 'last'],
      ['show', 'last', '--at', 'zz'],
      ['resume', 'last'],
      ['events'],
    ];
    const shown = calls.map((args) => pal(args, { home })).map(({ out, err }) => out + err);
    expect(shown.filter((text) => text.includes('\u001b'))).toEqual([]);
    expect(pal(['resume', 'last'], { home }).code).toBe(1);
  });
});

describe('where it looks', () => {
  test('without any session the samples are shown, and it says so', () => {
    const { code, out, err } = pal([]);
    expect(code).toBe(0);
    expect(err).toContain(`No session was found in ${empty}.`);
    expect(err).toContain('These are sample sessions that come with Palimpsest:');
    expect(out).toContain('--sample');
  });

  test('CLAUDE_CONFIG_DIR is honoured, --home stands above it', () => {
    const moved = { CLAUDE_CONFIG_DIR: join(fixture('i_clear'), '.claude') };
    const count = (args: string[]) =>
      pal([...args, '--flat'], { env: moved })
        .out.trimEnd()
        .split('\n').length;
    expect([count(['ls']), count(['ls', '--home', fixture('p_deny')])]).toEqual([3, 5]);
  });

  test('CODEX_HOME is honoured', () => {
    const moved = { CODEX_HOME: join(root, 'fixtures/codex/zstd/native/.codex') };
    expect(pal(['ls'], { env: moved }).out.match(/codex {2}plan:\w+/g)).toEqual([
      'codex  plan:hello',
      'codex  plan:shell',
    ]);
  });

  test('GEMINI_CLI_HOME is honoured: it is the home, not the folder in it', () => {
    const moved = { GEMINI_CLI_HOME: join(root, 'fixtures/gemini/compress/native') };
    expect(pal(['ls', '--flat'], { env: moved }).out.match(/gemini {2}P\d/g)).toEqual(['gemini  P5', 'gemini  P1']);
  });

  test('agents are mixed, --agent narrows', () => {
    const codex = join(root, 'fixtures/codex/tui-backtrack/native');
    const agents = (args: string[]) =>
      pal(['ls', '--json', '--home', fixture('p_deny'), '--home', codex, ...args]).out.match(/"agent": ?"[a-z-]+"/g)
        ?.length;
    expect([agents([]), agents(['--agent', 'codex']), agents(['--agent', 'claude-code'])]).toEqual([6, 1, 5]);
  });

  test('--help of every command has examples', () => {
    const commands = ['overview', 'ls', 'show', 'events', 'context', 'export', 'validate'];
    expect(commands.filter((command) => !pal([command, '--help']).out.includes('Examples:'))).toEqual([]);
  });
});

describe('sessions of which no row has a time', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
  writeFileSync(
    join(home, '.claude/projects/-x/summed-up-1.jsonl'),
    '{"type":"summary","summary":"hello","leafUuid":"x"}\n',
  );
  writeFileSync(
    join(home, '.claude/projects/-x/summed-up-2.jsonl'),
    '{"type":"summary","summary":"again","leafUuid":"x"}\n',
  );
  const ids = (...args: string[]) =>
    (JSON.parse(pal(['ls', '--json', ...args], { home }).out).value as { id: string }[]).map(({ id }) => id).sort();

  test('are as old as their files, whichever way one asks', () => {
    expect([ids(), ids('--since', '1d'), pal(['ls', '--until', '2025-01-01'], { home }).code]).toEqual([
      ['summed-up-1', 'summed-up-2'],
      ['summed-up-1', 'summed-up-2'],
      1,
    ]);
  });

  test('names that begin alike are told whole, so that they can be typed', () => {
    const told = pal(['ls'], { home }).out;
    expect([told.includes('summed-up-1'), told.includes('summed-up-2')]).toEqual([true, true]);
  });
});

test('that SQLite is experimental in Node 22 is not told, other warnings are', () => {
  const preload = `process.once('beforeExit', () => {
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
    process.emitWarning('Something else', 'ExperimentalWarning');
  })`;
  const { err } = pal(['--version'], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` },
  });
  expect(err.split('\n')[0]).toMatch(/ExperimentalWarning: Something else$/);
});
