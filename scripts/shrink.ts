// Makes a recording small enough for a fixture: long text that a client's maker wrote (system
// prompts, tool and skill descriptions) is shortened; rows, order, ids and what people and models
// said stay. Usage: npm run shrink -- <home of the recording> <fixture folder>

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Rows that hold nothing but what the client put in. */
const MAKERS_ROWS = new Set(['attachment', 'api-request', 'api-request-blob', 'api-request-shape']);
const KEPT_CHARACTERS = 80;
const LONG = 200;
const LEFT_OUT = /…\[(\d+) characters left out\]$/;
const ROOTS = ['.claude'];

const [recording, fixture] = process.argv.slice(2);
if (recording === undefined || fixture === undefined || !existsSync(recording)) {
  console.error('Usage: npm run shrink -- <home of the recording> <fixture folder>');
  process.exit(1);
}
for (const root of ROOTS) {
  const from = join(recording, root);
  if (!existsSync(from)) continue;
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const to = join(fixture, 'native', root, relative(from, path));
    mkdirSync(dirname(to), { recursive: true });
    const text = readFileSync(path, 'utf8');
    writeFileSync(to, entry.name.endsWith('.jsonl') ? shrunkLines(text) : text);
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
  if (!MAKERS_ROWS.has(String(row.type))) return line;
  return JSON.stringify(shrunk(row, ''));
}

function shrunk(value: Json, key: string): Json {
  // Schemas of tools and settings of requests tell nothing about a history.
  if (key === 'input_schema' || key === 'betas' || key === 'cacheControl' || key === 'digests')
    return Array.isArray(value) ? [] : {};
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value)) return value.map((entry) => shrunk(entry, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shrunk(entry, name)]));
}

function shortened(text: string): string {
  if (text.length <= LONG) return text;
  const before = LEFT_OUT.exec(text);
  const whole = before === null ? text.length : text.length - before[0].length + Number(before[1]);
  return `${text.slice(0, KEPT_CHARACTERS)}…[${whole - KEPT_CHARACTERS} characters left out]`;
}
