// Long sessions made from a seed, each with ten planted facts: what a summary is measured by.

import type { Json } from '../../src/schema/blocks.ts';
import type { SessionView } from '../../src/schema/stream.ts';
import { type CallEnd, makeSession, type SessionMaker } from './made-session.ts';
import {
  between,
  capital,
  closing,
  codeLines,
  commandOutput,
  narrationSentence,
  pick,
  promptExtra,
  promptSentence,
  type Random,
  randomFrom,
  remark,
  rival,
  somePath,
} from './prose.ts';
import type { EditShape, FactKind, FailingRun, LeftTask, Refused, Said, Templates } from './templates.ts';
import { values } from './values.ts';

export interface Fact {
  kind: FactKind;
  keys: string[];
  /** The wording it was planted in: to see what is missed. */
  template: string;
}

export interface MadeSession {
  view: SessionView;
  facts: Fact[];
}

/** What one turn says beside its noise. */
interface TurnPlan {
  inPrompt: string[];
  inReply: string[];
  calls: ((maker: SessionMaker) => void)[];
}

/** The session of this number: 15 to 60 turns, ten facts, one of each kind. */
export function madeSession(seed: number, number: number, templates: Templates): MadeSession {
  const random = randomFrom(seed * 1000 + number);
  const turns = Array.from(
    { length: between(random, 15, 60) },
    (): TurnPlan => ({ inPrompt: [], inReply: [], calls: [] }),
  );
  const facts = (Object.keys(templates) as FactKind[]).map((kind) => plant({ random, number, templates, turns }, kind));
  const maker = makeSession(`made-${seed}-${number}`);
  for (const turn of turns) writeTurn(random, maker, turn);
  return { view: maker.view(), facts };
}

interface Ground {
  random: Random;
  number: number;
  templates: Templates;
  turns: TurnPlan[];
}

function plant(ground: Ground, kind: FactKind): Fact {
  const { random, number, templates } = ground;
  // Each session takes its own templates, so that twenty sessions use all of them.
  const list = templates[kind];
  const at = (number * 3 + Math.floor(random() * 2)) % list.length;
  const turn = pick(random, ground.turns);
  const slots = slotsOf(random, kind);
  switch (kind) {
    case 'path':
      return plantEdit(list[at] as EditShape, turn, slots);
    case 'test':
      return plantTest(random, list[at] as FailingRun, turn, slots);
    case 'refusal':
      return plantRefusal(list[at] as Refused, turn, slots);
    case 'todo':
      return plantTask(list[at] as LeftTask, turn, slots);
    default:
      return plantSaid(kind, list[at] as Said, turn, slots);
  }
}

type Slots = Record<string, string>;

function slotsOf(random: Random, kind: FactKind): Slots {
  const drawn = Object.entries(values[kind]).map(([slot, list]) => [slot, pick(random, list)]);
  return Object.fromEntries(drawn) as Slots;
}

function fill(template: string, slots: Slots): string {
  return template.replace(/\{(\w+)\}/g, (whole, slot: string) => slots[slot] ?? whole);
}

function plantSaid(kind: FactKind, template: Said, turn: TurnPlan, slots: Slots): Fact {
  const text = capital(fill(template.text, slots));
  (template.by === 'person' ? turn.inPrompt : turn.inReply).push(text);
  return { kind, keys: template.keys.map((key) => fill(key, slots)), template: template.text };
}

function plantEdit(shape: EditShape, turn: TurnPlan, slots: Slots): Fact {
  const { path = '', line = '' } = slots;
  const input = shape.input(path, line) as Json; // plain values by their making
  turn.calls.push((maker) => maker.call(shape.name, input, { output: 'Done.' }));
  return { kind: 'path', keys: [path], template: `${shape.name} ${JSON.stringify(input).slice(0, 60)}` };
}

function plantTest(random: Random, run: FailingRun, turn: TurnPlan, slots: Slots): Fact {
  const output = `${commandOutput(random, 40)}\n${fill(run.output, slots)}\n`;
  const status = run.exit_code === 0 ? 'ok' : 'error';
  turn.calls.push((maker) =>
    maker.call('Bash', { command: run.command }, { output, status, exit_code: run.exit_code }),
  );
  return { kind: 'test', keys: [slots.test ?? ''], template: run.command };
}

function plantRefusal(refused: Refused, turn: TurnPlan, slots: Slots): Fact {
  const target = slots[refused.target] ?? '';
  const input = refused.target === 'path' ? { file_path: target, content: 'x = 1\n' } : { command: target };
  const reason = fill(refused.reason, slots);
  turn.calls.push((maker) => maker.call(refused.tool, input, { output: reason, status: 'rejected' }));
  return {
    kind: 'refusal',
    keys: refused.keys.map((key) => fill(key, { ...slots, target })),
    template: refused.reason,
  };
}

function plantTask(task: LeftTask, turn: TurnPlan, slots: Slots): Fact {
  if ('by' in task) return plantSaid('todo', task, turn, slots);
  const input = task.input(slots.task ?? '') as Json; // plain values by their making
  turn.calls.push((maker) => maker.call(task.tool, input, { output: 'Updated the list.' }));
  return { kind: 'todo', keys: [slots.task ?? ''], template: task.tool };
}

function writeTurn(random: Random, maker: SessionMaker, plan: TurnPlan): void {
  maker.prompt(promptText(random, plan.inPrompt));
  const replies = plan.inReply.map((text) => ({ text, at: between(random, 0, 5) }));
  const steps = between(random, 3, 7);
  const planted = [...plan.calls];
  for (let step = 0; step < steps; step++) {
    const here = replies.filter(({ at }) => at === step).map(({ text }) => text);
    if (here.length > 0 || random() < 0.7) maker.say(replyText(random, here, between(random, 0, 2)));
    if (random() < 0.2) maker.think(`${remark(random)} ${rival(random)}`);
    const call = planted.length > 0 && random() < 0.6 ? planted.shift() : undefined;
    if (call !== undefined) call(maker);
    else ordinaryCall(random, maker);
  }
  for (const call of planted) call(maker);
  const rest = replies.filter(({ at }) => at >= steps).map(({ text }) => text);
  maker.say(closingText(random, rest));
}

/** A fact stands in the first sentence, in the middle or at the end of its prompt. */
function promptText(random: Random, facts: string[]): string {
  const sentences = [
    promptSentence(random),
    ...Array.from({ length: between(random, 0, 5) }, () => promptExtra(random)),
  ];
  for (const fact of facts) sentences.splice(between(random, 0, sentences.length), 0, asSentence(fact));
  if (random() < 0.15) sentences.push(`\n\n\`\`\`\n${commandOutput(random, between(random, 5, 60))}\n\`\`\``);
  return sentences.join(' ');
}

function replyText(random: Random, facts: string[], more: number): string {
  const sentences = [narrationSentence(random), ...Array.from({ length: more }, () => remark(random))];
  if (random() < 0.25) sentences.push(rival(random));
  for (const fact of facts) sentences.splice(between(random, 0, sentences.length), 0, asSentence(fact));
  return sentences.join(' ');
}

function closingText(random: Random, facts: string[]): string {
  const first = Array.from({ length: between(random, 1, 4) }, () => remark(random));
  const points = Array.from({ length: between(random, 0, 5) }, () => `- ${remark(random)}`);
  const paragraph = [closing(random), ...first];
  const last = random() < 0.3 ? rival(random) : '';
  for (const fact of facts) {
    if (points.length > 0 && random() < 0.5)
      points.splice(between(random, 0, points.length), 0, `- ${asSentence(fact)}`);
    else paragraph.splice(between(random, 0, paragraph.length), 0, asSentence(fact));
  }
  return [paragraph.join(' '), points.join('\n'), last].filter((part) => part !== '').join('\n\n');
}

function asSentence(fact: string): string {
  return /[.?!]$/.test(fact) ? fact : `${fact}.`;
}

function ordinaryCall(random: Random, maker: SessionMaker): void {
  const { name, input, end } = pick(random, [reading, reading, searching, editing, running])(random);
  maker.call(name, input, end);
}

interface MadeCall {
  name: string;
  input: Json;
  end: CallEnd;
}

function reading(random: Random): MadeCall {
  const input = { file_path: `/home/me/shop/${somePath(random)}` };
  return { name: 'Read', input, end: { output: codeLines(random, between(random, 40, 220)) } };
}

function searching(random: Random): MadeCall {
  const output = commandOutput(random, between(random, 5, 60));
  return { name: 'Grep', input: { pattern: 'limit', path: '/home/me/shop' }, end: { output } };
}

function editing(random: Random): MadeCall {
  const texts = { old_string: codeLines(random, 4), new_string: codeLines(random, 5) };
  const input = { file_path: `/home/me/shop/${somePath(random)}`, ...texts };
  return { name: 'Edit', input, end: { output: codeLines(random, 14) } };
}

function running(random: Random): MadeCall {
  const commands = ['npm test', 'npx tsc --noEmit', 'git status --short', 'npm run lint', `node ${somePath(random)}`];
  const input = { command: pick(random, commands) };
  const output = commandOutput(random, between(random, 10, 160));
  if (random() >= 0.1) return { name: 'Bash', input, end: { output, exit_code: 0 } };
  const message = `${somePath(random)}: line 12: unexpected end of input\n`;
  return { name: 'Bash', input, end: { output: message, status: 'error', exit_code: 1 } };
}
