// Which of the collected things fit into the room that is given, and their text.

import { clip } from './summary-sentences.ts';

/** The sections, in the order in which they are written. */
const SECTIONS = [
  'carried',
  'asked',
  'stood',
  'decided',
  'found',
  'changed',
  'run',
  'failed',
  'refused',
  'interrupted',
  'agents',
  'open',
  'noted',
  'named',
] as const;
export type Section = (typeof SECTIONS)[number];

const TITLES: Record<Section, string> = {
  carried: 'Carried over from an earlier summary',
  asked: 'What the person asked, and what came of it',
  stood: 'Where it stood: the end of the last reply',
  decided: 'Decided',
  found: 'Found',
  changed: 'Files changed',
  run: 'Commands run',
  failed: 'Failed',
  refused: 'Refused by the person or by a rule',
  interrupted: 'Interrupted',
  agents: 'Subagents reported',
  open: 'Still open, as far as the turns tell',
  noted: 'Also said in replies',
  named: 'Also named by the person',
};

/** What items are called where some were left out: by their section, or apart from it. */
type Noun = Section | 'fenced';
const NOUNS: Record<Noun, [string, string]> = {
  carried: ['line of the earlier summary', 'lines of the earlier summary'],
  asked: ['sentence of prompts', 'sentences of prompts'],
  fenced: ['character of fenced text in prompts', 'characters of fenced text in prompts'],
  stood: ['end of the last reply', 'ends of the last reply'],
  decided: ['decision', 'decisions'],
  found: ['finding', 'findings'],
  changed: ['changed file', 'changed files'],
  run: ['command', 'commands'],
  failed: ['failure', 'failures'],
  refused: ['refusal', 'refusals'],
  interrupted: ['interruption', 'interruptions'],
  agents: ['report of a subagent', 'reports of subagents'],
  open: ['open point', 'open points'],
  noted: ['remark', 'remarks'],
  named: ['name', 'names'],
};

/** One thing to be said. Items of one `line` are written on one line, after its `mark`. */
export interface Item {
  section: Section;
  line: string;
  mark: string;
  /** A heading inside the section, or ''. */
  under: string;
  short: string;
  /** How much it matters that it is there: what matters least goes first. 0: it is never told, only counted. */
  worth: number;
  long: string;
  /** How much it matters that it is there in its long form. */
  longWorth: number;
  /** What it would be if nothing were left out of it. */
  whole: string;
  noun: Noun;
  /** For how many it stands. */
  count: number;
}

/** An item with what most of them have in common: a line of its own, and one form. */
export function item(part: Pick<Item, 'section' | 'short' | 'worth'> & Partial<Item>): Item {
  const long = part.long ?? part.short;
  const own = { line: part.short, mark: '- ', under: '', long, longWorth: part.worth };
  return { ...own, whole: long, noun: part.section, count: 1, ...part };
}

/** The chosen items as text, not longer than `room`; says what was left out. */
export function fitted(items: Item[], room: number): string {
  const all = chosenForms(items, room);
  if (leftOutNote(items, all) === '') return writtenSections(items, all);
  const chosen = chosenForms(items, room - NOTE);
  return `${writtenSections(items, chosen)}\n${clip(leftOutNote(items, chosen), NOTE - 4)}\n`;
}

/** Kept free for the sentence about what was left out. */
const NOTE = 440;

interface Step {
  item: number;
  form: 'short' | 'long';
  worth: number;
}

type Forms = ('short' | 'long' | undefined)[];

/** Takes the steps by their worth as long as there is room; of equals, the later thing first: it is nearer to what comes next. */
function chosenForms(items: Item[], room: number): Forms {
  const steps = items.flatMap((item, index): Step[] => [
    { item: index, form: 'short', worth: item.worth },
    { item: index, form: 'long', worth: Math.min(item.longWorth, item.worth) },
  ]);
  steps.sort((a, b) => b.worth - a.worth || (a.form === b.form ? b.item - a.item : a.form === 'short' ? -1 : 1));
  const chosen: Forms = items.map(() => undefined);
  const shared = sharedLines(items);
  const opened = new Set<string>();
  let left = room;
  for (const { item: index, form } of steps) {
    const item = items[index];
    if (item === undefined || item.worth === 0) continue;
    const cost =
      form === 'short'
        ? openingCost(item, opened, shared) + item.short.length + 1
        : item.long.length - item.short.length;
    if (cost > left || (form === 'long' && chosen[index] === undefined)) continue;
    left -= cost;
    chosen[index] = form;
    for (const key of openings(item)) opened.add(key);
  }
  return chosen;
}

/** The title, the heading and the mark are paid for by the first item that needs them; signs of a cut by every item on their line. */
function openingCost(item: Item, opened: Set<string>, shared: Set<string>): number {
  const [section = '', under = '', line = ''] = openings(item);
  const title = opened.has(section) ? 0 : TITLES[item.section].length + 6;
  const heading = item.under === '' || opened.has(under) ? 0 : item.under.length + 6;
  const sign = shared.has(line) ? CUT.length : 0;
  return title + heading + sign + (opened.has(line) ? 0 : item.mark.length + 2 + sign);
}

/** Lines of more than one item: only there can something be missing. */
function sharedLines(items: Item[]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const item of items) {
    const line = openings(item)[2] ?? '';
    if (seen.has(line)) shared.add(line);
    seen.add(line);
  }
  return shared;
}

function openings(item: Item): string[] {
  return [item.section, `${item.section}\n${item.under}`, `${item.section}\n${item.under}\n${item.line}`];
}

function writtenSections(items: Item[], chosen: Forms): string {
  const parts: string[] = [];
  for (const section of SECTIONS) {
    const lines = linesOfSection(items, chosen, section);
    if (lines.length > 0) parts.push(`## ${TITLES[section]}\n${lines.join('\n')}\n`);
  }
  return parts.join('\n');
}

/** Stands where something of a line was left out. */
const CUT = ' …';

function linesOfSection(items: Item[], chosen: Forms, section: Section): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  let under = '';
  let isCut = false;
  let isBegun = false;
  const end = () => {
    if (isBegun && isCut) lines.push(withCut(lines.pop() ?? ''));
    isCut = false;
    isBegun = false;
  };
  items.forEach((item, index) => {
    if (item.section !== section) return;
    if (`${item.under}\n${item.line}` !== line) end();
    line = `${item.under}\n${item.line}`;
    const form = chosen[index];
    if (form === undefined) {
      isCut = true;
      return;
    }
    if (item.under !== under && item.under !== '') lines.push(`### ${item.under}`);
    under = item.under;
    const before = isBegun ? `${isCut ? withCut(lines.pop() ?? '') : lines.pop()} ` : item.mark;
    lines.push(`${before}${isCut && !isBegun ? '… ' : ''}${item[form]}`);
    isCut = false;
    isBegun = true;
  });
  end();
  return lines;
}

function withCut(line: string): string {
  return line.endsWith('…') ? line : `${line}${CUT}`;
}

function leftOutNote(items: Item[], chosen: Forms): string {
  const left = items.filter((_, index) => chosen[index] === undefined);
  const missing = (Object.keys(NOUNS) as Noun[]).flatMap((noun) => {
    const count = left.reduce((sum, item) => sum + (item.noun === noun ? item.count : 0), 0);
    return count === 0 ? [] : `${count} ${NOUNS[noun][count === 1 ? 0 : 1]}`;
  });
  const shortened = items.filter((item, index) => {
    const form = chosen[index];
    return form !== undefined && item[form] !== item.whole;
  }).length;
  const parts = [
    missing.length === 0 ? '' : `left out: ${missing.join(', ')}`,
    shortened === 0 ? '' : `${shortened} ${shortened === 1 ? 'entry' : 'entries'} shortened`,
  ].filter((text) => text !== '');
  return parts.length === 0
    ? ''
    : `_To keep this summary short, what seemed to matter least went: ${parts.join('; ')}._`;
}
