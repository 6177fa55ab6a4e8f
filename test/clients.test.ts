// What the agents' own clients do with sessions: when they delete one, and how they go on with one.

import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shellWord } from '../src/cli/places.ts';
import { sources } from '../src/index.ts';
import { memoryFiles, pal, root, temporaryFolder } from './support.ts';

describe('retention, from the settings of each agent', () => {
  const CASES: [agent: string, files: Record<string, string>, expected: unknown][] = [
    ['claude-code', {}, { days: 30, told: 'default' }],
    ['claude-code', { '.claude/settings.json': '{"cleanupPeriodDays":365}' }, { days: 365, told: 'settings' }],
    ['claude-code', { '.claude/settings.json': '{"cleanupPeriodDays":"soon"}' }, { days: 30, told: 'default' }],
    ['claude-code', { '.claude/settings.json': '{broken' }, { days: 30, told: 'default' }],
    ['codex', { '.codex/config.toml': 'retention = 3' }, null],
    ['gemini', {}, { days: 30, told: 'default' }],
    [
      'gemini',
      { '.gemini/settings.json': '{"general":{"sessionRetention":{"maxAge":"2w"}}}' },
      { days: 14, told: 'settings' },
    ],
    [
      'gemini',
      { '.gemini/settings.json': '{"general":{"sessionRetention":{"maxAge":"36h"}}}' },
      { days: 1.5, told: 'settings' },
    ],
    ['gemini', { '.gemini/settings.json': '{"general":{"sessionRetention":{"enabled":false}}}' }, null],
  ];
  test.each(CASES)('%s with %j', (agent, files, expected) => {
    const source = sources.find((candidate) => candidate.agent === agent);
    expect(source?.retention(memoryFiles(files).port)).toEqual(expected);
  });
});

test('sessions that are about to be deleted are told, with the command that keeps them', () => {
  const home = temporaryFolder();
  const fixture = join(root, 'fixtures/claude-code/i_reject/native');
  cpSync(fixture, home, { recursive: true });
  const file = join(home, '.claude/projects/-home-dev-src-claude-demo/cb387779-5bfc-450f-9c6a-376aba1401e0.jsonl');
  const written = Date.parse('2026-11-15T18:15:00.000Z') / 1000;
  utimesSync(file, written, written);
  const lineAt = (now: string) =>
    pal([], { home, env: { PALIMPSEST_NOW: now } })
      .out.split('\n')
      .find((line) => line.includes('deleted'))
      ?.trim()
      .replace(/ {2,}/g, ' ');
  expect([lineAt('2026-12-01T00:00:00Z'), lineAt('2026-12-12T00:00:00Z'), lineAt('2026-12-24T00:00:00Z')]).toEqual([
    undefined,
    '▸ 1 session will be deleted by Claude Code within 7 days, the first in 3, by its default → pal keep',
    '▸ 1 session will be deleted by Claude Code at its next start, by its default → pal keep',
  ]);
});

describe('resume', () => {
  const COMMANDS: [fixture: string, command: string][] = [
    ['claude-code/i_reject', 'cd /home/dev/src/claude/demo && claude --resume cb387779-5bfc-450f-9c6a-376aba1401e0\n'],
    [
      'codex/tui-backtrack',
      'cd /home/dev/src/codex/sessions/tui-backtrack/demo && codex resume 01a1e06f-e7d4-71c0-bbd8-a6db22218467\n',
    ],
    [
      'codex/archive',
      'cd /home/dev/src/codex/sessions/archive/demo && codex unarchive 01a1e07c-39f7-7352-96d9-6830f4c77d0a && codex resume 01a1e07c-39f7-7352-96d9-6830f4c77d0a\n',
    ],
    // Archived, and still where it was.
    [
      'codex/copies',
      'cd /home/dev/src/codex/sessions/archive/demo && codex resume 01a1e07c-39f7-7352-96d9-6830f4c77d0a\n',
    ],
    [
      'gemini/reject',
      'cd /home/dev/src/gemini/run/reject/proj && gemini --resume 63355f44-f145-472a-a8b3-5638cb1ab15c\n',
    ],
  ];
  test.each(COMMANDS)('%s', (fixture, command) => {
    expect(pal(['resume', 'last'], { home: join(root, 'fixtures', fixture, 'native') })).toEqual({
      code: 0,
      out: command,
      err: '',
    });
  });

  test('a session that its agent has put away is not brought back by us', () => {
    const home = join(root, 'fixtures/codex/archive/native');
    const id = '01a1e07c-39f7-7352-96d9-6830f4c77d0a';
    expect(pal(['resume', 'last', '--exec'], { home })).toEqual({
      code: 1,
      out: '',
      err: `The agent has put this session away, and goes on with it only after: codex unarchive ${id}\n`,
    });
    const path = `.codex/archived_sessions/rollout-2026-11-15T18-33-20-${id}.jsonl`;
    expect(pal(['resume', join(home, path)]).out).toContain(`codex unarchive ${id} && codex resume ${id}`);
    expect(JSON.parse(pal(['resume', 'last', '--json'], { home }).out).value).toEqual({
      session_id: id,
      agent: 'codex',
      project: '/home/dev/src/codex/sessions/archive/demo',
      before: ['codex', 'unarchive', id],
      command: ['codex', 'resume', id],
    });
  });

  test('--exec runs it in the folder of the session', () => {
    const project = join(temporaryFolder(), "it's here");
    const home = temporaryFolder();
    const bin = temporaryFolder();
    mkdirSync(project, { recursive: true });
    mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "in $PWD: $*"\nexit 3\n', { mode: 0o755 });
    const id = '00000000-0000-4000-8000-000000000001';
    const row = {
      type: 'user',
      uuid: 'u',
      parentUuid: null,
      sessionId: id,
      cwd: project,
      timestamp: '2026-11-15T09:00:00.000Z',
      message: { role: 'user', content: 'x' },
    };
    writeFileSync(join(home, `.claude/projects/-x/${id}.jsonl`), `${JSON.stringify(row)}\n`);
    const ran = pal(['resume', 'last', '--exec'], { home, env: { PATH: `${bin}:${process.env.PATH}` } });
    expect([ran.code, ran.out]).toEqual([3, `in ${project}: --resume ${id}\n`]);
    expect(pal(['resume', 'last'], { home }).out).toBe(
      `cd '${project.replace("'", "'\\''")}' && claude --resume ${id}\n`,
    );
  });

  test('a path is one word in every shell, whatever is in it', () => {
    expect(['/a b', "/it's", "/a\\' ; touch x ; echo \\'", '/$(x)`y`', '/plain-1.2'].map(shellWord)).toEqual([
      "'/a b'",
      "'/it'\\''s'",
      "'/a'\\\\''\\'' ; touch x ; echo '\\\\''\\'''",
      "'/$(x)`y`'",
      '/plain-1.2',
    ]);
  });

  test('a folder that is gone, and a client that is not there, are said', () => {
    const home = join(root, 'fixtures/claude-code/i_reject/native');
    expect(pal(['resume', 'last', '--exec'], { home })).toEqual({
      code: 1,
      out: '',
      err: 'The folder /home/dev/src/claude/demo is gone. Make it again, or move there what it held.\n',
    });
  });
});
