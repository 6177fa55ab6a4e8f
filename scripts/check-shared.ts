// Runs over every recording and every wild file that lies beside the project, where they are:
// no exception, every line accounted for, every document valid, tokens equal to a count that shares
// no code with the reader, events as typed, contexts as sent.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { type FoundFamily, openFile, openHome, type Session } from '../src/index.ts';
import { faultsOf } from '../src/schema-check.ts';
import { cloneFaults } from './clone-check.ts';
import { codexUsageByHand } from './codex-usage-by-hand.ts';
import { geminiUsageByHand } from './gemini-usage-by-hand.ts';
import { proofOf } from './request-proof.ts';
import { usageByHand } from './usage-by-hand.ts';

const shared = fileURLToPath(new URL('../../shared', import.meta.url));
if (!existsSync(shared)) {
  console.log('not run: there is no ../shared beside the project');
  process.exit(0);
}

const wrong: string[] = [];
let checks = 0;
const totals = {
  files: 0,
  documents: 0,
  lines: 0,
  requests: 0,
  equal: 0,
  texts: 0,
  equalTexts: 0,
  shortened: 0,
  counts: 0,
  copies: 0,
};

/** Documents are counted by their messages, not by lines. */
const SESSION_FILE = /\.jsonl(\.zst)?$|\/chats\/[^.]*\.json$/;

interface Agent {
  recordings: string;
  wild: string;
  /** Folders of a home that hold sessions. */
  places: string[];
  usage: (paths: string[]) => Tokens;
}

type Tokens = ReturnType<typeof usageByHand>;

const agents: Agent[] = [
  { recordings: 'claude-code', wild: 'claude', places: ['.claude/projects'], usage: usageByHand },
  {
    recordings: 'codex',
    wild: 'codex',
    places: ['.codex/sessions', '.codex/archived_sessions'],
    usage: codexUsageByHand,
  },
  { recordings: 'gemini', wild: 'gemini', places: ['.gemini/tmp'], usage: geminiUsageByHand },
];
for (const agent of agents) {
  checkRecordings(join(shared, 'sessions', agent.recordings), agent);
  checkWild(join(shared, 'wild', agent.wild), agent);
}

console.log(
  `files ${totals.files}, documents ${totals.documents}, lines ${totals.lines}, event counts ${totals.counts}, copies ${totals.copies}`,
);
console.log(
  `requests checked ${totals.requests}, equal ${totals.equal}; texts recorded whole ${totals.texts}, equal ${totals.equalTexts}; shortened ${totals.shortened}`,
);
for (const line of wrong) console.log(`WRONG ${line}`);
console.log(`${checks - wrong.length} passed, ${wrong.length} failed`);
process.exit(wrong.length === 0 ? 0 : 1);

function check(holds: boolean, what: string): void {
  checks++;
  if (!holds) wrong.push(what);
}

type Expected = Record<string, number | string | string[] | Record<string, [number, number]>>;

function checkRecordings(folder: string, agent: Agent): void {
  const expected = JSON.parse(readFileSync(join(folder, 'EXPECTED.json'), 'utf8')) as Record<string, Expected>;
  for (const name of Object.keys(expected)) {
    const home = join(folder, name);
    const documents = openHome({ homes: [home] }).families.flatMap((family) => checkFamily(family, name));
    checkCounts(name, documents, expected[name] as Expected);
    const places = agent.places.map((place) => join(home, place)).filter((place) => existsSync(place));
    const files = places.flatMap(filesBelow).filter((path) => SESSION_FILE.test(path));
    checkUsage(name, documents, agent.usage(files));
    checkLines(name, documents, files);
    for (const document of documents) checkRequests(document, home);
    if (agent.recordings === 'gemini') checkCancelled(name, documents, files);
  }
}

function checkWild(folder: string, agent: Agent): void {
  for (const path of filesBelow(folder)) {
    const name = relative(folder, path);
    const family = openFile(path);
    // A prompt history is no session.
    if (family === undefined) {
      check(/(history\.jsonl|logs\.json)$/.test(name), `${name} was not recognised`);
      continue;
    }
    const documents = checkFamily(family, name);
    checkUsage(name, documents, agent.usage([path]));
    checkLines(name, documents, [path]);
  }
}

function checkFamily(family: FoundFamily, name: string): Session[] {
  try {
    const open = family.open();
    const documents = open.sessions.map((session) => session.read());
    open.close();
    for (const fault of cloneFaults(family)) {
      totals.copies++;
      check(fault === '', `${name} ${fault}`);
    }
    totals.files += family.files.length;
    totals.documents += documents.length;
    for (const document of documents) {
      const faults = faultsOf(JSON.parse(JSON.stringify(document)));
      check(faults.length === 0, `${name} ${document.session.id}: ${JSON.stringify(faults[0])}`);
    }
    return documents;
  } catch (error) {
    check(false, `${name}: ${error instanceof Error ? error.stack : String(error)}`);
    return [];
  }
}

function checkCounts(name: string, documents: Session[], expected: Expected): void {
  const sum = (count: (document: Session) => number) =>
    documents.reduce((total, document) => total + count(document), 0);
  const ofType = (type: string) =>
    sum((document) => document.interruptions.filter((event) => event.type === type).length);
  const counts: Record<string, number> = {
    compactions: sum((document) => document.compaction.boundaries.length),
    clears: sum((document) => document.context_clears.length),
    interruptions: sum((document) => document.interruptions.length),
    user_interruptions: ofType('user'),
    system_interruptions: ofType('system'),
    rejections: sum((document) => document.rejections.length),
    reasons: sum((document) => document.rejections.filter((event) => event.reason_source === 'recorded').length),
    rewinds: sum((document) => document.rewinds.length),
    denials: sum((document) => document.denials.length),
    sessions: documents.filter((document) => document.session.kind === 'main').length,
    subagents: documents.filter((document) => document.session.kind === 'subagent').length,
  };
  const fair = expected.fair as Record<string, [number, number]> | undefined;
  for (const [key, count] of Object.entries(counts)) {
    if (expected[key] === undefined) continue;
    const [least, most] = fair?.[key] ?? [expected[key], expected[key]];
    totals.counts++;
    check(count >= Number(least) && count <= Number(most), `${name}: ${key} ${count}, expected ${expected[key]}`);
  }
}

function checkUsage(name: string, documents: Session[], hand: Tokens): void {
  const ours = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const { session } of documents) {
    ours.input += session.usage.input_tokens;
    ours.cacheRead += session.usage.cache_read_tokens;
    ours.cacheWrite += session.usage.cache_write_5m_tokens + session.usage.cache_write_1h_tokens;
    ours.output += session.usage.output_tokens;
  }
  check(
    JSON.stringify(hand) === JSON.stringify(ours),
    `${name}: tokens ${JSON.stringify(ours)}, by hand ${JSON.stringify(hand)}`,
  );
}

/** Every line of every file is accounted for, once. */
function checkLines(name: string, documents: Session[], paths: string[]): void {
  const lines = paths.reduce((sum, path) => sum + linesOf(path), 0);
  // Inline subagents share the file of their session, which counts its lines.
  const own = documents.filter(
    ({ session }) => session.kind !== 'subagent' || session.source.files[0]?.role === 'subagent',
  );
  const accounted = own.reduce((sum, { session }) => sum + session.accounting.lines, 0);
  totals.lines += lines;
  check(accounted === lines, `${name}: ${accounted} lines accounted for, ${lines} are there`);
}

function linesOf(path: string): number {
  const stored = readFileSync(path);
  const document = path.includes('gemini') ? documentIn(stored.toString('utf8')) : undefined;
  if (document !== undefined) return 1 + document.messages.length;
  const bytes = path.endsWith('.zst') ? zstdDecompressSync(stored) : stored;
  const feeds = bytes.filter((byte) => byte === 10).length;
  return bytes.length === 0 || bytes.at(-1) === 10 ? feeds : feeds + 1;
}

function documentIn(text: string): { messages: unknown[] } | undefined {
  try {
    const value = JSON.parse(text) as { messages?: unknown[] };
    return { messages: value.messages ?? [] };
  } catch {
    return undefined;
  }
}

/** What the client's own replay erases: every cancelled call and every note of the raw log is in the documents, once. */
function checkCancelled(name: string, documents: Session[], paths: string[]): void {
  const calls = new Set<string>();
  const notes = new Set<string>();
  for (const path of paths.filter((file) => file.endsWith('.jsonl'))) {
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const row = JSON.parse(line) as {
        id?: string;
        type?: string;
        content?: unknown;
        toolCalls?: { id: string; status: string }[];
      };
      for (const call of row.toolCalls ?? []) if (call.status === 'cancelled') calls.add(call.id);
      if (row.type === 'info' && row.content === 'Request cancelled.' && row.id !== undefined) notes.add(row.id);
    }
  }
  if (paths.some((file) => file.endsWith('.json'))) return;
  const ended = ['rejected', 'interrupted', 'cancelled'];
  const ours = documents.flatMap(({ tool_calls }) => tool_calls.filter(({ status }) => ended.includes(status)));
  const said = documents.flatMap(({ messages }) => messages.filter(({ id }) => notes.has(id)));
  check(ours.length === calls.size, `${name}: ${ours.length} cancelled calls, ${calls.size} in the raw log`);
  check(said.length === notes.size, `${name}: ${said.length} notes, ${notes.size} in the raw log`);
}

function checkRequests(document: Session, home: string): void {
  const proof = proofOf(document, home);
  totals.requests += proof.requests;
  totals.equal += proof.equal;
  totals.texts += proof.texts;
  totals.equalTexts += proof.equalTexts;
  totals.shortened += proof.shortened;
  for (const line of proof.wrong) check(false, line);
  checks += proof.equal;
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
