// Makes a recording small enough for a fixture: long text that a client's maker wrote (system
// prompts, tool and skill descriptions) is shortened; rows, order, ids and what people and models
// said stay. Usage: npm run shrink -- <home of the recording> <fixture folder>

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Rows that hold nothing but what the client put in. */
const MAKERS_ROWS = new Set([
  'attachment',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'session_meta',
  'turn_context',
  'world_state',
]);
/** Codex: words of the client on the user's side, by their beginning. */
const MAKERS_WORDS = /^(# AGENTS\.md instructions|<skills_instructions>|<user_instructions>)/;
const KEPT_CHARACTERS = 80;
const LEFT_OUT = /…\[(\d+) characters left out\]$/;
/** By the folder in a home: texts longer than this are shortened. */
const ROOTS: Record<string, number> = { '.claude': 200, '.codex': 430, '.gemini': 80 };
let longest = 0;

const [recording, fixture] = process.argv.slice(2);
if (recording === undefined || fixture === undefined || !existsSync(recording)) {
  console.error('Usage: npm run shrink -- <home of the recording> <fixture folder>');
  process.exit(1);
}
for (const [root, long] of Object.entries(ROOTS)) {
  longest = long;
  const from = join(recording, root);
  if (!existsSync(from)) continue;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const to = join(fixture, 'native', root, relative(from, path));
    mkdirSync(dirname(to), { recursive: true });
    const bytes = readFileSync(path);
    if (entry.name.endsWith('.zst')) {
      writeFileSync(to, zstdCompressSync(Buffer.from(shrunkLines(zstdDecompressSync(bytes).toString('utf8')))));
      continue;
    }
    const text = bytes.toString('utf8');
    const isDocument = root === '.gemini' && entry.name.endsWith('.json');
    if (isDocument) writeFileSync(to, JSON.stringify(withoutSetup(JSON.parse(text) as Json), null, 2));
    else writeFileSync(to, entry.name.endsWith('.jsonl') ? shrunkLines(text) : text);
  }
}

if (existsSync(join(fixture, 'native/.codex'))) repairBases(join(fixture, 'native/.codex'));

/** Codex: a file that goes on from another names the byte at which that one is cut. It has moved. */
function repairBases(folder: string): void {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^rollout-.*\.jsonl$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths) {
    const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    const base = /"history_base":\{"thread_id":"([^"]+)","end_ordinal_exclusive":(\d+),"end_byte_offset":\d+/.exec(
      first,
    );
    const from = paths.find((other) => other.endsWith(`${base?.[1]}.jsonl`));
    if (base === null || from === undefined) continue;
    let offset = 0;
    for (const line of readFileSync(from, 'utf8').split('\n')) {
      if (line === '' || (JSON.parse(line) as { ordinal: number }).ordinal >= Number(base[2])) break;
      offset += Buffer.byteLength(line) + 1;
    }
    const repaired = first.replace(base[0], base[0].replace(/\d+$/, String(offset)));
    writeFileSync(path, [repaired, ...rest].join('\n'));
  }
}

function shrunkLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : shrunkLine(line)))
    .join('\n');
}

function shrunkLine(line: string): string {
  const row = JSON.parse(line) as { [key: string]: Json };
  if (longest === ROOTS['.gemini']) return JSON.stringify(withoutSetup(row));
  if (MAKERS_ROWS.has(String(row.type))) return JSON.stringify(shrunk(row, ''));
  const { payload } = row;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return line;
  return isMakers(payload) || row.type === 'compacted'
    ? JSON.stringify({ ...row, payload: shrunkItems(payload) })
    : line;
}

/** Gemini: what the client tells the model before anything is said. */
function withoutSetup(value: Json): Json {
  if (typeof value === 'string') return value.startsWith('<session_context>') ? shortened(value) : value;
  if (Array.isArray(value)) return value.map(withoutSetup);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutSetup(entry)]));
}

/** Codex: an item, or an event, that holds nothing but what the client put in. */
function isMakers(payload: { [key: string]: Json }): boolean {
  if (payload.type === 'thread_settings_applied' || payload.type === 'additional_tools') return true;
  if (payload.type !== 'message') return false;
  const [first] = Array.isArray(payload.content) ? payload.content : [];
  const text = typeof first === 'object' && first !== null && !Array.isArray(first) ? first.text : undefined;
  return payload.role === 'developer' || (typeof text === 'string' && MAKERS_WORDS.test(text));
}

/** A compaction holds items again. */
function shrunkItems(payload: { [key: string]: Json }): Json {
  const history = payload.replacement_history;
  if (!Array.isArray(history)) return isMakers(payload) ? shrunk(payload, '') : payload;
  const items = history.map((item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && isMakers(item) ? shrunk(item, '') : item,
  );
  return { ...payload, replacement_history: items };
}

function shrunk(value: Json, key: string): Json {
  // Schemas of tools and settings of requests tell nothing about a history.
  if (['input_schema', 'parameters', 'betas', 'cacheControl', 'digests'].includes(key))
    return Array.isArray(value) ? [] : {};
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value)) return value.map((entry) => shrunk(entry, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shrunk(entry, name)]));
}

function shortened(text: string): string {
  if (text.length <= longest) return text;
  const before = LEFT_OUT.exec(text);
  const whole = before === null ? text.length : text.length - before[0].length + Number(before[1]);
  return `${text.slice(0, KEPT_CHARACTERS)}…[${whole - KEPT_CHARACTERS} characters left out]`;
}
