// One pass over the messages that a summary stands for: what was said and done in them.

import type { Block, Json } from '../schema/blocks.ts';
import type { Message } from '../schema/message.ts';
import type { ToolCall } from '../schema/session.ts';
import type { SessionView } from '../schema/stream.ts';
import { saidCommand } from './said-command.ts';
import {
  changesOf,
  commandLine,
  commandOf,
  errandOf,
  type FileChange,
  isDone,
  newTaskOf,
  onlyLooks,
  planOf,
  questionsOf,
  type Task,
  tasksOf,
  taskUpdateOf,
} from './summary-calls.ts';
import { isNarration, type SentenceClass, type Weighed, weighReply } from './summary-cues.ts';
import type { Level } from './summary-levels.ts';
import { failureLines, hiddenFailures } from './summary-output.ts';
import { isLongBlock, type Piece, piecesOf, quoteOf, sentencesOf } from './summary-pieces.ts';
import { saidText } from './summary-said-text.ts';
import { clip, oneLine, plainText } from './summary-sentences.ts';

export interface Asked {
  text: string;
  pieces: Piece[];
  /** The first thing the last reply said. */
  outcome: string;
  replied: boolean;
}

export interface Sentence {
  prompt: number;
  text: string;
  class: SentenceClass;
  score: number;
  /** It stands in the reply that ended the turn. */
  closing: boolean;
}

export interface ChangedFile {
  path: string;
  times: number;
  last: FileChange;
  prompt: number;
}

export interface RunCommand {
  command: string;
  looks: boolean;
  times: number;
  failures: number;
  /** How it ended the last time. */
  ended: string;
  prompt: number;
  tests: string[];
  messages: string[];
  /** It failed, and after that it went well. */
  passedLater: boolean;
}

export interface Collected {
  asked: Asked[];
  /** Texts of older summaries. */
  carried: string[];
  sentences: Sentence[];
  files: Map<string, ChangedFile>;
  commands: Map<string, RunCommand>;
  /** Calls that failed and were no commands: what they said, and how often. */
  troubles: Map<string, { prompt: number; times: number }>;
  agents: { prompt: number; errand: string; report: string; whole: string }[];
  answers: { prompt: number; text: string; short: string; whole: string }[];
  lastReplyPieces: Piece[];
  tasks: Task[];
  /** The prompt during which a call or a message stood: events are placed by it. */
  promptOfMessage: Map<number, number>;
}

interface OpenCall {
  call: ToolCall | undefined;
  name: string;
  input: Json;
  prompt: number;
}

interface Pass extends Collected {
  calls: Map<string, ToolCall>;
  open: Map<string, OpenCall>;
  /** Commands that the agent worked on. */
  commandTurns: Set<number | null>;
  /** Tasks that are each kept apart, by their number. */
  apart: Map<string, Task>;
  seen: Set<string>;
  depth: Level;
  /** Where in `sentences` the last reply and the last turn begin. */
  lastReply: number;
  turnStart: number;
}

/** Reads each message once, and keeps little of it. */
export function collect(session: SessionView, indices: readonly number[], depth: Level): Collected {
  const pass = newPass(session, depth);
  for (const index of indices) {
    const message = session.message(index);
    readMessage(pass, message);
    pass.promptOfMessage.set(index, pass.asked.length);
  }
  endTurn(pass);
  for (const left of pass.open.values()) settle(pass, left, '', false);
  pass.tasks.push(...pass.apart.values());
  return pass;
}

function newPass(session: SessionView, depth: Level): Pass {
  return {
    asked: [],
    carried: [],
    sentences: [],
    files: new Map(),
    commands: new Map(),
    troubles: new Map(),
    agents: [],
    answers: [],
    lastReplyPieces: [],
    tasks: [],
    promptOfMessage: new Map(),
    calls: new Map(session.document.tool_calls.flatMap((call) => (call.id === null ? [] : [[call.id, call]]))),
    open: new Map(),
    commandTurns: new Set(commandTurnsOf(session)),
    apart: new Map(),
    seen: new Set(),
    depth,
    lastReply: 0,
    turnStart: 0,
  };
}

function commandTurnsOf({ document }: SessionView): (number | null)[] {
  return document.turns.filter((turn) => turn.started_by === 'command').map((turn) => turn.first_message_index);
}

function readMessage(pass: Pass, message: Message): void {
  if (message.kind === 'summary') pass.carried.push(plainText(textOf(message)));
  else if (message.kind === 'prompt') readPrompt(pass, saidText(message), { answered: false });
  else if (message.kind === 'command') readCommandMessage(pass, message);
  else if (message.kind === 'reply') readReply(pass, message);
  // Results stand in messages of their own; some agents put them beside a prompt.
  for (const block of message.content) if (block.type === 'tool_result') readResult(pass, block);
  // Words beside a result are those that the person typed along with their Yes. What clients add there stands in tags;
  // their marks of a stop are messages of their own.
  if (message.kind === 'tool_result') readPrompt(pass, saidText(message), { answered: false });
}

function textOf(message: Message): string {
  return message.content
    .map((block) => (block.type === 'text' && typeof block.text === 'string' ? block.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

/** Of a command what was given to it; one that was given nothing was a request only where it set the agent to work. */
function readCommandMessage(pass: Pass, message: Message): void {
  const said = saidCommand(textOf(message));
  if (said === undefined || (said.given === '' && !pass.commandTurns.has(message.index))) return;
  // Most commands of the client want no reply.
  readPrompt(pass, `${said.name} ${said.given}`.trim(), { answered: true });
}

function readPrompt(pass: Pass, text: string, { answered }: { answered: boolean }): void {
  if (text === '') return;
  endTurn(pass);
  pass.asked.push({ text, pieces: piecesOf(text), outcome: '', replied: answered });
}

function readReply(pass: Pass, message: Message): void {
  const asked = pass.asked.at(-1);
  if (asked !== undefined) asked.replied = true;
  const text = plainText(textOf(message)).trim();
  if (text !== '') readReplyText(pass, text, asked);
  for (const block of message.content) if (block.type === 'tool_use') readCall(pass, block);
}

function readReplyText(pass: Pass, text: string, asked: Asked | undefined): void {
  pass.lastReply = pass.sentences.length;
  const sentences = sentencesOf(text);
  pass.lastReplyPieces = piecesOf(text);
  const telling = sentences.find((sentence) => !isNarration(sentence) && sentence.length > 12);
  if (asked !== undefined) asked.outcome = telling ?? '';
  const weighed = sentences.map(weighReply);
  sentences.forEach((sentence, index) => {
    const { class: kind, score: own } = weighed[index] as Weighed; // one for each sentence
    // What stands beside something that matters explains it.
    const beside = Math.max(weighed[index - 1]?.score ?? 0, weighed[index + 1]?.score ?? 0);
    const score = own + (beside >= 5 ? 1.5 : 0);
    const key = sentence.toLowerCase();
    if (score < pass.depth.least || pass.seen.has(key)) return;
    pass.seen.add(key);
    pass.sentences.push({ prompt: pass.asked.length, text: sentence, class: kind, score, closing: false });
  });
}

/** Marks what the last reply said, and keeps the best sentences of the turn. */
function endTurn(pass: Pass): void {
  const { sentences, turnStart, lastReply } = pass;
  const outcome = pass.asked.at(-1)?.outcome;
  const turn = sentences.splice(turnStart).map((sentence, index) => ({
    ...sentence,
    closing: turnStart + index >= lastReply,
  }));
  const kept = turn
    .map((sentence, order) => ({ sentence, order }))
    .filter(({ sentence }) => sentence.text !== outcome)
    .sort((a, b) => worthOf(b.sentence) - worthOf(a.sentence) || a.order - b.order)
    .slice(0, pass.depth.perTurn)
    .sort((a, b) => a.order - b.order);
  for (const { sentence } of kept) sentences.push(sentence);
  pass.turnStart = sentences.length;
  pass.lastReply = sentences.length;
}

/** What a reply says at the end of its turn was meant to be read. */
export function worthOf(sentence: Sentence): number {
  return sentence.score + (sentence.closing ? 1.5 : 0);
}

function readCall(pass: Pass, block: Extract<Block, { type: 'tool_use' }>): void {
  const { id, name, input } = block;
  const call = { call: pass.calls.get(id ?? ''), name, input, prompt: pass.asked.length };
  if (id === null) settle(pass, call, '', false);
  else pass.open.set(id, call);
}

function readResult(pass: Pass, block: Extract<Block, { type: 'tool_result' }>): void {
  const id = block.tool_use_id ?? '';
  const open = pass.open.get(id);
  if (open === undefined) return;
  pass.open.delete(id);
  const text = block.content
    .map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('\n');
  settle(pass, open, text, block.is_error);
}

/** What a call came to, now that its result is known. */
function settle(pass: Pass, open: OpenCall, output: string, isError: boolean): void {
  const status = open.call?.status ?? (isError ? 'error' : 'ok');
  // The person's and the rules' refusals are events, and told as such.
  if (status === 'rejected' || status === 'denied' || status === 'cancelled') return;
  const failed = status === 'error' || (open.call === undefined && isError);
  if (!failed) readChanges(pass, open);
  const command = commandOf(open.input);
  if (command !== undefined) readCommand(pass, open, { command, output, failed });
  else if (failed) readTrouble(pass, open, output);
  else readOther(pass, open, output);
}

function readChanges(pass: Pass, open: OpenCall): void {
  for (const change of changesOf(open.input, open.call?.diff ?? null)) {
    const known = pass.files.get(change.path);
    pass.files.delete(change.path);
    // Last changed last: what was worked on at the end stands at the end.
    pass.files.set(change.path, {
      path: change.path,
      times: (known?.times ?? 0) + 1,
      last: change,
      prompt: open.prompt,
    });
  }
}

interface Ended {
  command: string;
  output: string;
  failed: boolean;
}

function readCommand(pass: Pass, open: OpenCall, ended: Ended): void {
  const line = commandLine(ended.command);
  const known = pass.commands.get(line);
  const lines = ended.failed
    ? failureLines(ended.output)
    : onlyLooks(ended.command)
      ? NOTHING
      : hiddenFailures(ended.output);
  const hidden = !ended.failed && lines.tests.length > 0;
  const ending = endingOf(open.call, ended, hidden);
  pass.commands.delete(line);
  pass.commands.set(line, {
    command: line,
    // A search that finds nothing fails, too; one that was stopped is told.
    looks: ending !== 'interrupted' && onlyLooks(ended.command),
    times: (known?.times ?? 0) + 1,
    failures: (known?.failures ?? 0) + (ended.failed || hidden ? 1 : 0),
    ended: ending,
    prompt: open.prompt,
    tests: merged(known?.tests, lines.tests, 12),
    messages: ended.failed || hidden ? lines.messages : (known?.messages ?? []),
    passedLater: !(ended.failed || hidden) && (known?.failures ?? 0) > 0,
  });
}

const NOTHING = { tests: [], messages: [] };

function merged(known: string[] | undefined, more: string[], most: number): string[] {
  return [...new Set([...(known ?? []), ...more])].slice(-most);
}

/** What stands behind a pipe tells how it ended itself, not how the command before it did. */
const PIPED = /\|\s*(tail|head|grep|rg|sed|awk|cut|sort|tee|cat|less)\b[^|]*$/;

function endingOf(call: ToolCall | undefined, { failed, command }: Ended, hidden: boolean): string {
  if (call?.status === 'interrupted' || call?.status === 'background') return call.status;
  if (call?.status === 'unanswered') return 'no result';
  if (failed) return call?.exit_code == null ? 'failed' : `exit ${call.exit_code}`;
  if (hidden) return 'ok, but tests failed';
  return PIPED.test(command) ? 'ran' : 'ok';
}

function readTrouble(pass: Pass, open: OpenCall, output: string): void {
  const { tests, messages } = failureLines(output);
  const [line = ''] = [...tests, ...messages];
  const said = clip(line.replace(WRAPPED, ''), 160);
  const key = `${open.name}: ${said === '' ? 'failed' : said}`;
  const known = pass.troubles.get(key);
  pass.troubles.set(key, { prompt: open.prompt, times: (known?.times ?? 0) + 1 });
}

/** Some clients put what a tool said into a tag such as <tool_use_error>. */
const WRAPPED = /^<[a-z]+_[a-z_]+>|<\/[a-z]+_[a-z_]+>$/g;

function readOther(pass: Pass, open: OpenCall, output: string): void {
  const { input, name, prompt } = open;
  if (readTasks(pass, input, output)) return;
  const questions = questionsOf(input);
  if (questions.length > 0) {
    const answer = oneLine(plainText(output));
    const asked = (most: number) =>
      `The person was asked: ${quoted(questions.join(' '), most)} The answer: ${quoted(answer, most)}`;
    pass.answers.push({
      prompt,
      text: asked(500),
      whole: asked(Infinity),
      short: `Asked ${quoted(questions.join(' '), 120)}, answered ${quoted(answer, 160)}`,
    });
    return;
  }
  const plan = planOf(input);
  if (plan !== undefined) {
    const lines = quoteOf(piecesOf(plainText(plan)), (piece) => !isLongBlock(piece));
    pass.answers.push({
      prompt,
      text: `A plan was approved: ${quoted(lines, 900)}`,
      whole: `A plan was approved: ${quoted(oneLine(plainText(plan)), Infinity)}`,
      short: `A plan was approved: ${quoted(lines, 200)}`,
    });
    return;
  }
  const errand = errandOf(name, input);
  const subagent = open.call?.subagent_session_id != null;
  if ((errand !== undefined || subagent) && output.trim() !== '') {
    const report = plainText(output);
    pass.agents.push({ prompt, errand: errand ?? name, report: reportOf(report), whole: oneLine(report) });
  }
}

/** The first sentences of a report that are no narration. */
function reportOf(output: string): string {
  const pieces = piecesOf(output);
  const telling = pieces.filter(({ text, kind }) => kind === 'said' && !isNarration(text) && text.length > 20);
  const told = new Set(telling.slice(0, 6));
  return told.size === 0 ? '' : quoteOf(pieces, (piece) => told.has(piece));
}

function quoted(text: string, most: number): string {
  return `"${clip(text, most)}"`;
}

function readTasks(pass: Pass, input: Json, output: string): boolean {
  const list = tasksOf(input);
  if (list !== undefined) {
    pass.tasks.splice(0, pass.tasks.length, ...list);
    return true;
  }
  const fresh = newTaskOf(input);
  if (fresh !== undefined) {
    const number = /#(\d+)/.exec(output)?.[1] ?? String(pass.apart.size + 1);
    pass.apart.set(number, { text: fresh, done: false, status: 'pending' });
    return true;
  }
  const update = taskUpdateOf(input);
  const task = update === undefined ? undefined : pass.apart.get(update.id);
  if (update === undefined || task === undefined) return false;
  pass.apart.set(update.id, { ...task, status: update.status, done: isDone(update.status) });
  return true;
}
