// How much of what matters a summary holds, and how small it is.
//
//   node bench/summary/measure.ts --seed 1 --sessions 20     made sessions with planted facts
//   node bench/summary/measure.ts --wild ../shared/wild      real recordings: sizes, edited paths, refusals
//
// Options: --share 0.08 (limit as a share of the replaced text), --level full|brief, --missed (which
// facts of the tuned wordings were not found), --show N (print the summary of made session N).

import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { openFile } from '../../src/index.ts';
import type { Message } from '../../src/schema/message.ts';
import type { SessionView } from '../../src/schema/stream.ts';
import { LEAST_SUMMARY, summarise } from '../../src/transform/summarise.ts';
import { type Fact, madeSession } from './facts.ts';
import type { FactKind, Templates } from './templates.ts';
import { fresh } from './templates-fresh.ts';
import { heldOut } from './templates-held-out.ts';
import { tuned } from './templates-tuned.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sessions: { type: 'string', default: '20' },
    share: { type: 'string', default: '0.08' },
    level: { type: 'string', default: 'full' },
    wild: { type: 'string' },
    missed: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    show: { type: 'string' },
  },
});
const share = Number(options.share);
const level = options.level === 'brief' ? 'brief' : 'full';

/** Editing tools by their names in the three agents. */
const EDITORS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'write_file', 'replace', 'apply_patch']);

if (options.show !== undefined)
  console.log(summaryOf(madeSession(Number(options.seed), Number(options.show), tuned).view).text);
else if (options.wild !== undefined) measureWild(options.wild);
else {
  measureMade('tuned', tuned);
  measureMade('held-out', heldOut);
  measureMade('fresh', fresh);
}

interface Measured {
  text: string;
  /** Characters of the summary per character of what it replaces. */
  ratio: number;
  replaced: number;
}

function summaryOf(session: SessionView): Measured {
  const messages = Array.from({ length: session.messageCount }, (_, index) => index);
  const replaced = messages.reduce((sum, index) => sum + sentLength(session.message(index)), 0);
  const text = summarise({ session, messages, level, limit: Math.max(LEAST_SUMMARY, Math.floor(replaced * share)) });
  return { text, ratio: replaced === 0 ? 0 : text.length / replaced, replaced };
}

/** Characters of a message as it was sent: text, inputs and results; no thinking, no details of the client. */
function sentLength(message: Message): number {
  return message.content.reduce((sum, block) => {
    if (block.type === 'text') return sum + lengthOf(block.text);
    if (block.type === 'tool_use') return sum + block.name.length + JSON.stringify(block.input).length;
    if (block.type === 'attachment') return sum + lengthOf(block.text);
    if (block.type !== 'tool_result') return sum;
    return sum + block.content.reduce((parts, part) => parts + (part.type === 'text' ? lengthOf(part.text) : 0), 0);
  }, 0);
}

function lengthOf(text: string | { omitted_bytes: number } | null): number {
  return text === null ? 0 : typeof text === 'string' ? text.length : text.omitted_bytes;
}

function isFound(text: string, fact: Fact): boolean {
  const plain = text.replace(/\s+/g, ' ').toLowerCase();
  return fact.keys.every((key) => plain.includes(key.toLowerCase()));
}

function measureMade(name: string, templates: Templates): void {
  const byKind = new Map<FactKind, { found: number; all: number }>();
  let [found, all, ratios] = [0, 0, 0];
  const count = Number(options.sessions);
  for (let number = 0; number < count; number++) {
    const { view, facts } = madeSession(Number(options.seed), number, templates);
    const { text, ratio, replaced } = summaryOf(view);
    const hits = facts.filter((fact) => isFound(text, fact));
    for (const fact of facts) {
      const sum = byKind.get(fact.kind) ?? { found: 0, all: 0 };
      byKind.set(fact.kind, { found: sum.found + (hits.includes(fact) ? 1 : 0), all: sum.all + 1 });
      if (options.missed && name === 'tuned' && !hits.includes(fact))
        console.log(`  missed ${number} ${fact.kind}: ${fact.template} ${JSON.stringify(fact.keys)}`);
    }
    found += hits.length;
    all += facts.length;
    ratios += ratio;
    if (!options.quiet)
      console.log(
        `${name} ${number}: ${view.document.turns.length} turns, ${replaced} characters, summary ${text.length} (${percent(ratio)}), facts ${hits.length}/${facts.length}`,
      );
  }
  const kinds = [...byKind].map(([kind, sum]) => `${kind} ${sum.found}/${sum.all}`).join(', ');
  console.log(
    `${name}: facts ${found}/${all} = ${percent(found / all)}, size ${percent(ratios / count)} on average; ${kinds}`,
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

interface WildCount {
  paths: [found: number, all: number];
  refusals: [found: number, all: number];
  ratios: { ratio: number; replaced: number }[];
}

function measureWild(folder: string): void {
  const count: WildCount = { paths: [0, 0], refusals: [0, 0], ratios: [] };
  let milliseconds = 0;
  for (const path of filesBelow(folder)) {
    const open = openFile(path)?.open();
    for (const session of open?.sessions ?? []) {
      const start = performance.now();
      const { text, ratio, replaced } = summaryOf(session);
      milliseconds += performance.now() - start;
      if (replaced > 0) count.ratios.push({ ratio, replaced });
      for (const lost of lostIn(session, text, count))
        console.log(`${relative(folder, path)} ${session.document.session.id}: not in the summary: ${lost}`);
    }
    open?.close();
  }
  console.log(`sessions ${count.ratios.length}, ${Math.round(milliseconds)} ms`);
  for (const [least, most] of [
    [0, 20_000],
    [20_000, 100_000],
    [100_000, Infinity],
  ] as const) {
    const within = count.ratios
      .filter(({ replaced }) => replaced >= least && replaced < most)
      .map(({ ratio }) => ratio);
    console.log(`${least} to ${most} characters: ${within.length} sessions; ${spread(within)}`);
  }
  console.log(`edited paths in their summary: ${count.paths.join(' of ')}; refusals: ${count.refusals.join(' of ')}`);
}

function spread(ratios: number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (part: number) => percent(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `least ${at(0)}, quarter ${at(0.25)}, middle ${at(0.5)}, three quarters ${at(0.75)}, nine tenths ${at(0.9)}, most ${at(1)}`;
}

/** By a count that shares nothing with the summariser: names of editing tools, and the list of rejections. */
function lostIn(session: SessionView, text: string, count: WildCount): string[] {
  const lost: string[] = [];
  const project = session.document.session.project;
  for (const path of editedPaths(session)) {
    count.paths[1]++;
    const short = project !== null && path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
    // As a line of its own in the list of files: a mention elsewhere does not count.
    const listed = text.split('\n').some((line) => line === `- ${short}` || line.startsWith(`- ${short} `));
    if (listed) count.paths[0]++;
    else lost.push(path);
  }
  for (const { reason, tool_name, id } of session.document.rejections) {
    count.refusals[1]++;
    const said = (reason ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
    if (text.includes(`${tool_name}`) && text.includes('was refused') && text.includes(said)) count.refusals[0]++;
    else lost.push(`${id} ${said}`);
  }
  return lost;
}

function editedPaths(session: SessionView): Set<string> {
  const status = new Map(session.document.tool_calls.map((call) => [call.id, call.status]));
  const paths = new Set<string>();
  for (const message of session.messages()) {
    for (const block of message.content) {
      if (block.type !== 'tool_use' || !EDITORS.has(block.name)) continue;
      if (!['ok', 'unanswered', 'background', 'interrupted'].includes(status.get(block.id) ?? '')) continue;
      const text = JSON.stringify(block.input);
      const named = [...text.matchAll(/"(?:file_path|notebook_path)":"((?:[^"\\]|\\.)*)"/g)];
      const patched =
        block.name === 'apply_patch' ? [...text.matchAll(/\*\*\* (?:Add|Update|Delete) File: (.*?)(?:\\n|")/g)] : [];
      for (const [, path = ''] of [...named, ...patched]) paths.add(JSON.parse(`"${path}"`) as string);
    }
  }
  return paths;
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
