import { closeSync, ftruncateSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs';
import { createRandom, type Random } from './random.ts';

const START = Date.UTC(2025, 5, 1);
const END = Date.UTC(2026, 10, 15);
const BYTES = 1_000_000;

/** A home of many sessions that take little room: a beginning, a hole, an end. Four of five are Claude Code's. */
export function writeSparseHome({ out, files, seed = 1 }: { out: string; files: number; seed?: number }): {
  bytes: number;
} {
  const random = createRandom(seed, 900_000);
  const folders = new Set<string>();
  for (let i = 0; i < files; i++) {
    const time = START + ((END - START) * i) / files;
    const { folder, name, rows } = sessionAt(i, new Date(time).toISOString(), random);
    if (!folders.has(folder)) mkdirSync(`${out}/${folder}`, { recursive: true });
    folders.add(folder);
    const file = openSync(`${out}/${folder}/${name}`, 'wx');
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    writeSync(file, text);
    ftruncateSync(file, BYTES);
    writeSync(file, `\n${JSON.stringify(rows.at(-1))}\n`, BYTES);
    closeSync(file);
    utimesSync(`${out}/${folder}/${name}`, time / 1000, time / 1000);
  }
  return { bytes: files * BYTES };
}

interface Made {
  folder: string;
  name: string;
  rows: object[];
}

function sessionAt(i: number, time: string, random: Random): Made {
  const project = `/home/dev/code/p${i % 100}`;
  const id = random.uuid();
  if (i % 10 === 8) return codex(id, time, project, i);
  return i % 10 === 9 ? gemini(id, time, random, i) : claudeCode(id, time, project, random, i);
}

function claudeCode(id: string, timestamp: string, cwd: string, random: Random, i: number): Made {
  const message = { role: 'user', content: `Fix thing ${i}` };
  const row = { parentUuid: null, isSidechain: false, cwd, sessionId: id, version: '2.1.300', type: 'user', message };
  return {
    folder: `.claude/projects/${cwd.replaceAll('/', '-')}`,
    name: `${id}.jsonl`,
    rows: [{ ...row, uuid: random.uuid(), timestamp }],
  };
}

function codex(id: string, timestamp: string, cwd: string, i: number): Made {
  const meta = { id, timestamp, cwd, originator: 'codex_cli_rs', cli_version: '0.100.0', source: 'cli' };
  return {
    folder: `.codex/sessions/${timestamp.slice(0, 10).replaceAll('-', '/')}`,
    name: `rollout-${timestamp.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`,
    rows: [
      { timestamp, type: 'session_meta', payload: meta },
      { timestamp, type: 'event_msg', payload: { type: 'user_message', message: `Fix thing ${i}` } },
    ],
  };
}

function gemini(id: string, timestamp: string, random: Random, i: number): Made {
  return {
    folder: `.gemini/tmp/p${i % 100}/chats`,
    name: `session-${timestamp.slice(0, 16).replace(':', '-')}-${id.slice(0, 8)}.jsonl`,
    rows: [
      { sessionId: id, projectHash: 'ab', startTime: timestamp, lastUpdated: timestamp, kind: 'main' },
      { id: random.uuid(), timestamp, type: 'user', content: [{ text: `Fix thing ${i}` }] },
    ],
  };
}
