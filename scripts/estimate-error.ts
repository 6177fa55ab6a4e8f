// How far the token estimates of src/transform/estimate.ts are off, on the Claude Code sessions beside the project.
//
// Each recorded input is predicted as an absolute sum, `fixed` + the context's messages, by a model that was
// calibrated only on the inputs recorded before it. Sessions that cannot be predicted are counted as classes of
// their own, by rules that do not look at the error.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contextAt, type Message, openFile, openHome, type SessionReader } from '../src/index.ts';
import type { SessionView } from '../src/schema/stream.ts';
import { wholeInput } from '../src/schema/tokens.ts';
import { rungOf } from '../src/transform/budget.ts';
import { draftOf } from '../src/transform/draft.ts';
import { calibrate, type TokenModel } from '../src/transform/estimate.ts';

const shared = fileURLToPath(new URL('../../shared', import.meta.url));
if (!existsSync(shared)) {
  console.log('not run: there is no ../shared beside the project');
  process.exit(0);
}

/** A session with its messages held, so that it can be calibrated many times. */
interface Held {
  name: string;
  view: SessionView;
  messages: Message[];
  requests: { index: number; tokens: number }[];
}

interface Prediction {
  name: string;
  index: number;
  estimate: number;
  tokens: number;
  error: number;
  reason: string;
}

const groups: Record<string, Prediction[]> = {
  'last input, calibrated on those before': [],
  'every input after the first': [],
  'every input after the third': [],
  'last input from the first quarter': [],
  'first input from the second half': [],
  'first input from all, as of a copy': [],
  'first input, defaults only': [],
  'last input, defaults only': [],
  'class: begins in the middle, last input': [],
  'class: begins in the middle, every input': [],
  'class: text replaced, every input': [],
};
const counts = { main: 0, tooFew: 0, predicted: 0, middle: 0, replaced: 0, mock: 0 };
const ids = new Set<string>();
const scales: number[] = [];

for (const path of filesBelow(join(shared, 'wild/claude'))) {
  const open = openFile(path)?.open();
  for (const reader of open?.sessions ?? []) {
    if (reader.document.session.kind === 'main') take(held(reader, relative(shared, path)), path);
  }
  open?.close();
}
countMockSessions(join(shared, 'sessions/claude-code'));
report();

function take(session: Held, path: string): void {
  counts.main++;
  if (session.requests.length < 2) counts.tooFew++;
  else if (textWasReplaced(session)) {
    counts.replaced++;
    add('class: text replaced, every input', everyInput(session, 1));
  } else if (beginsInTheMiddle(path)) {
    counts.middle++;
    const predictions = everyInput(session, 1);
    add('class: begins in the middle, every input', predictions);
    add('class: begins in the middle, last input', predictions.slice(-1));
  } else {
    counts.predicted++;
    ids.add(session.view.document.session.id);
    measure(session);
  }
}

function measure(session: Held): void {
  const { requests, view } = session;
  const predictions = everyInput(session, 1);
  add('every input after the first', predictions);
  add('every input after the third', predictions.slice(2));
  add('last input, calibrated on those before', predictions.slice(-1));
  const none = calibrate(view, { before: 0 });
  add('first input, defaults only', [predict(session, 0, none)]);
  add('last input, defaults only', [predict(session, requests.length - 1, none)]);
  const all = calibrate(view);
  scales.push(all.scale);
  add('first input from all, as of a copy', [predict(session, 0, all, { isCopy: true })]);
  if (requests.length < 8) return;
  // What a clone needs: an input of a size that was not recorded.
  const quarter = calibrate(view, { before: requestAt(session, requests.length >> 2).index });
  add('last input from the first quarter', [predict(session, requests.length - 1, quarter)]);
  const late = calibrate(withoutUsageBefore(session, requestAt(session, requests.length >> 1).index));
  add('first input from the second half', [predict(session, 0, late, { isCopy: true })]);
}

function everyInput(session: Held, from: number): Prediction[] {
  return session.requests.slice(from).map(({ index }, i) => {
    return predict(session, from + i, calibrate(session.view, { before: index }));
  });
}

function predict(session: Held, request: number, model: TokenModel, { isCopy = false } = {}): Prediction {
  const { index, tokens } = requestAt(session, request);
  const context = contextOf(session, index);
  // As `pal clone` counts it: what was sent and not recorded is in the session, not in a copy.
  const view = { ...session.view, message: (at: number) => context[at] as Message };
  const messages = rungOf('', draftOf(view, model, [...context.keys()]), model, 0).total;
  const estimate = messages + (isCopy ? 0 : model.unrecorded);
  const error = Math.abs(estimate - tokens) / tokens;
  return { name: session.name, index, estimate, tokens, error, reason: reasonAt(session, index) };
}

/** The messages of a request as they were then: what was cleared later was still whole. */
function contextOf({ view, messages }: Held, index: number): Message[] {
  const { context, compaction } = view.document;
  const later = new Set(
    compaction.boundaries.filter((event) => (event.after_message_index ?? -1) >= index).map(({ id }) => id),
  );
  return contextAt(context.windows, view.sentMarks(), index - 1).map((at) => {
    const message = messages[at] as Message; // contexts name messages of the session
    const content = message.content.map((block) =>
      later.has(block.cleared_by ?? '') ? { ...block, cleared_by: null } : block,
    );
    return { ...message, content };
  });
}

/** What happened before a request that the history does not tell in full. */
function reasonAt({ view, messages }: Held, index: number): string {
  const window = view.document.context.windows.findLast(({ opened_at_index }) => opened_at_index < index);
  if (window?.opened_by === 'compaction')
    return 'after a compaction: more was sent than is recorded (probably files attached anew)';
  const prompt = messages.slice(0, index).findLast(({ kind }) => kind === 'prompt');
  if (prompt !== undefined && prompt.index > 0 && prompt.parent_id === null) {
    return 'the prompt hangs on nothing: the client dropped what was before, no window says so';
  }
  const resumed = messages.slice(0, index).some(({ model }) => model === '<synthetic>');
  return resumed
    ? 'after a resume, which lost the results beside the chain of parents (seen in 2.1.7 to 2.1.22)'
    : 'not found';
}

function held(reader: SessionReader, name: string): Held {
  const messages = [...reader.messages()];
  const requests = messages.flatMap(({ kind, index, usage }) =>
    kind === 'reply' && usage !== null && wholeInput(usage) > 0 ? [{ index, tokens: wholeInput(usage) }] : [],
  );
  return { name, view: viewOf(reader, messages), messages, requests };
}

function viewOf(reader: SessionView, messages: Message[]): SessionView {
  return { ...reader, messages: () => messages, message: (index) => messages[index] as Message };
}

function withoutUsageBefore({ view, messages }: Held, index: number): SessionView {
  return viewOf(
    view,
    messages.map((message) => (message.index < index ? { ...message, usage: null } : message)),
  );
}

function requestAt(session: Held, request: number): { index: number; tokens: number } {
  return session.requests[request] as { index: number; tokens: number }; // asked for below its length
}

/** Half the texts are placeholders such as `[redacted:content:26]`. */
function textWasReplaced({ messages }: Held): boolean {
  const texts = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  );
  return texts.filter((text) => typeof text === 'string' && text.startsWith('[redacted:')).length * 2 > texts.length;
}

/** The first row names a parent: what came before it is in no file, but was in the context. */
function beginsInTheMiddle(path: string): boolean {
  const first = readFileSync(path, 'utf8')
    .split('\n')
    .find((line) => line.includes('"parentUuid":'));
  return first !== undefined && !first.includes('"parentUuid":null');
}

/** The recordings were made against a server that invents its usage: nothing to predict. */
function countMockSessions(folder: string): void {
  const homes = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of homes) counts.mock += openHome({ homes: [join(folder, name)] }).families.length;
}

function add(group: string, predictions: Prediction[]): void {
  groups[group]?.push(...predictions);
}

function report(): void {
  console.log(
    `main sessions ${counts.main}, predicted ${counts.predicted} (${ids.size} distinct: some are the same at`,
  );
  console.log(
    `another time); with fewer than two inputs ${counts.tooFew}; text replaced ${counts.replaced}; beginning in the`,
  );
  console.log(`middle ${counts.middle}; recordings with invented usage, not predicted: ${counts.mock}\n`);
  for (const [name, predictions] of Object.entries(groups)) {
    const errors = predictions.map(({ error }) => error);
    const figures = [0.5, 0.9, 0.95, 1].map((share) => percent(quantile(errors, share)));
    console.log(
      `${name.padEnd(42)} n ${String(errors.length).padStart(4)}  median, p90, p95, max: ${figures.join(' ')}`,
    );
  }
  console.log(
    `\nscale p5, median, p95: ${[0.05, 0.5, 0.95].map((share) => quantile(scales, share).toFixed(2)).join(' ')}`,
  );
  for (const group of ['last input, calibrated on those before', 'every input after the first']) {
    console.log(`\nworst ten of "${group}"${group.startsWith('every') ? ', one per session' : ''}`);
    for (const worst of worstOf(groups[group] ?? [])) {
      const { name, index, estimate, tokens, error, reason } = worst;
      console.log(`${percent(error)} ${name} message ${index}: ${Math.round(estimate)} for ${tokens}; ${reason}`);
    }
  }
}

function worstOf(predictions: Prediction[]): Prediction[] {
  const byName = new Map<string, Prediction>();
  for (const one of predictions.toSorted((a, b) => a.error - b.error)) byName.set(one.name, one);
  return [...byName.values()].toSorted((a, b) => b.error - a.error).slice(0, 10);
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`.padStart(6);
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.sort();
}
