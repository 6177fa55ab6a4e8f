// What was said in the turns, as things to be told: prompts, older summaries, sentences of replies.

import type { Asked, Collected, Sentence } from './summary-collect.ts';
import { worthOf } from './summary-collect.ts';
import { isCorrection, weighPrompt, weighReply } from './summary-cues.ts';
import { type Item, item } from './summary-fit.ts';
import type { Level } from './summary-levels.ts';
import { chunksOf, isLongBlock, type Piece, quoteOf } from './summary-pieces.ts';
import { clip, clipStart, code, literalsOf, oneLine } from './summary-sentences.ts';

/** Older summaries line by line: whole where they are short, else the lines that say most. */
export function carriedItems(collected: Collected, room: number): Item[] {
  const items: Item[] = [];
  const size = collected.carried.reduce((sum, text) => sum + text.length, 0);
  const whole = size < room * 0.5;
  for (const text of collected.carried) {
    for (const { bare, under } of carriedLines(text)) {
      const worth = whole ? 97 : 40 + 3 * Math.min(8, weighReply(bare).score);
      items.push(
        item({
          section: 'carried',
          under,
          line: `${items.length}`,
          mark: '',
          short: clip(bare, 240),
          long: clip(bare, whole ? 20_000 : 2000),
          whole: bare,
          worth,
          longWorth: whole ? 96 : worth - 12,
        }),
      );
    }
  }
  return items;
}

/** The lines that are not blank, each with its heading; a heading with nothing below it is a line. */
function carriedLines(text: string): { bare: string; under: string }[] {
  const lines: { bare: string; under: string }[] = [];
  let under = '';
  let isUsed = true;
  let fence = '';
  const heading = () => (isUsed ? [] : [{ bare: `### ${under}`, under: '' }]);
  for (const line of text.split('\n')) {
    const bare = line.trimEnd();
    const sign = /^\s*(`{3,}|~{3,})/.exec(bare)?.[1] ?? '';
    const title = fence === '' ? /^\s*#{1,6}\s+(.*)$/.exec(bare)?.[1] : undefined;
    if (sign !== '' && (fence === '' || bare.trim() === fence)) fence = fence === '' ? sign : '';
    if (title !== undefined) {
      lines.push(...heading());
      under = oneLine(title);
      isUsed = false;
    } else if (bare.trim() !== '') {
      lines.push({ bare, under });
      isUsed = true;
    }
  }
  return [...lines, ...heading()];
}

/** Each prompt by its first sentence; then its rules, its choices and the rest; then what came of it. */
export function askedItems(asked: Asked[], level: Level): Item[] {
  return asked.flatMap((prompt, index) => {
    const line = `prompt ${index}`;
    const items = promptItems(prompt, level).map((item) => ({ ...item, line, mark: `${index + 1}. ` }));
    if (prompt.outcome === '') return items;
    const outcome = item({
      section: 'asked',
      line: `${line} outcome`,
      mark: '   → ',
      short: clip(prompt.outcome, 140),
      long: clip(prompt.outcome, level.outcome),
      whole: prompt.outcome,
      worth: 52,
      longWorth: 34,
    });
    return [...items, outcome];
  });
}

/** Of a correction, more is quoted. */
const CORRECTION_ROOM = 2500;

/** Most of what is pasted in fences is output: so much of the room of a prompt at most. */
const BLOCK_SHARE = 0.3;

function promptItems({ text, pieces }: Asked, level: Level): Item[] {
  const correction = isCorrection(text);
  const spoken = withFrames(pieces);
  const first = Math.max(
    0,
    spoken.findIndex((piece) => !isLongBlock(piece)),
  );
  const words = correction ? CORRECTION_ROOM : level.prompt;
  const spent = spoken.reduce((sum, piece) => sum + (isLongBlock(piece) ? 0 : piece.text.length), 0);
  const room = { words, blocks: Math.min(words - spent, level.prompt * BLOCK_SHARE) };
  return spoken.flatMap((piece, place) => {
    const worth = place === first ? 100 : correction ? 92 : undefined;
    return isLongBlock(piece) ? blockItems(piece, room, place === first) : wordItems(piece, room, worth);
  });
}

/** A rule, or another sign without words, goes with what stands before it. */
function withFrames(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const belongs = last !== undefined && !isLongBlock(last) && !/[\p{L}\p{N}]/u.test(piece.text);
    if (belongs) result[result.length - 1] = { ...last, text: `${last.text} ${piece.text}` };
    else result.push(piece);
  }
  return result;
}

interface Room {
  words: number;
  /** What words leave of it. */
  blocks: number;
}

/** A sentence, in parts where it is very long. */
function wordItems({ text }: Piece, room: Room, given: number | undefined): Item[] {
  return [...chunksOf(text, 600)].map((chunk, place) => {
    const isFirst = given === 100 && place === 0;
    // What is beyond is only counted.
    if (!isFirst && room.words < 0) return item({ section: 'asked', short: '', worth: 0 });
    const worth = given === 100 && !isFirst ? 90 : (given ?? 40 + 4 * Math.min(8, weighPrompt(chunk.text)));
    room.words -= chunk.text.length;
    return item({
      section: 'asked',
      short: clip(chunk.text, isFirst ? 160 : 300),
      long: chunk.text,
      whole: chunk.isCut ? '' : chunk.text,
      worth,
      longWorth: worth - 15,
    });
  });
}

/** Longest part of a fenced text that is told or left out. */
const BLOCK_PART = 160;

/** What was pasted in fences: its beginning, and more where words leave room. */
function blockItems({ text }: Piece, room: Room, isFirst: boolean): Item[] {
  const items: Item[] = [];
  const add = (part: Pick<Item, 'short' | 'worth'> & Partial<Item>) =>
    items.push(item({ section: 'asked', noun: 'fenced', ...part }));
  for (const chunk of chunksOf(text, BLOCK_PART)) {
    const isBeginning = items.length === 0;
    if (!isBeginning && room.blocks < chunk.text.length) {
      add({ short: '', worth: 0, count: chunk.text.length + chunk.left });
      break;
    }
    room.blocks -= chunk.text.length;
    const worth = isBeginning ? (isFirst ? 100 : 40) : 28;
    const whole = chunk.isCut ? '' : chunk.text;
    add({ short: chunk.text, whole, worth, count: chunk.text.length });
  }
  return items;
}

/** The end of the last reply says what came of it all, and what the agent would do next. */
export function stoodItems({ lastReplyPieces: pieces }: Collected): Item[] {
  const endOf = (sentences: number) => {
    const said = pieces.filter(({ kind }) => kind === 'said');
    const from = said.at(-sentences) ?? said[0];
    return from === undefined ? '' : quoteOf(pieces.slice(pieces.indexOf(from)), (piece) => !isLongBlock(piece));
  };
  const short = clip(endOf(2), 240);
  if (short === '') return [];
  const whole = endOf(6);
  const long = clipStart(whole, 900);
  return [
    item({
      section: 'stood',
      short,
      long: long.length > short.length ? long : short,
      whole: long.length > short.length ? whole : endOf(2),
      worth: 90,
      longWorth: 60,
    }),
  ];
}

export function answerItems({ answers }: Collected): Item[] {
  return answers.map(({ prompt, text, short, whole }) => {
    const [brief, long, all] = [short, text, whole].map((form) => `(${prompt}) ${form}`) as [string, string, string]; // three of three
    return item({ section: 'decided', short: brief, long, whole: all, worth: 75, longWorth: 55 });
  });
}

/** What is open is wanted most; a sentence without a cue of its own is worth a remark, no more. */
const BASE = { open: 32, found: 28, decided: 24, noted: 12 };

export function sentenceItems(collected: Collected, level: Level, next: string): Item[] {
  const { sentences, asked } = collected;
  return sentences.flatMap((sentence) => {
    const answered = sentence.class === 'open' && isAnswered(sentence, asked[sentence.prompt]?.text ?? next);
    // What was said later is nearer to what comes next.
    const late = (sentence.class === 'open' ? 12 : 6) * (sentence.prompt / Math.max(1, asked.length));
    const worth = BASE[answered ? 'noted' : sentence.class] + 4 * Math.min(10, worthOf(sentence)) + late;
    const mark = `(${sentence.prompt}) `;
    return [
      item({
        section: answered ? 'noted' : sentence.class,
        line: `${sentence.prompt} ${sentence.text}`,
        short: mark + clip(sentence.text, 240),
        long: mark + clip(sentence.text, level.sentence),
        whole: mark + sentence.text,
        worth,
        longWorth: worth - 10,
      }),
    ];
  });
}

const YES =
  /^(?:y(?:es|ep|eah|up)?|no(?:pe)?|ok(?:ay)?|sure|go (?:ahead|on|for)|do (?:it|that|both)|please do|sounds good|option|both|neither|the (?:first|second|third|last|former|latter)|[0-9a-c]\b|continue|lgtm|agreed|correct|right|exactly|commit|push)\b/i;

/** Whether the next prompt seems to answer a question: by yes or no, or in the same words. */
function isAnswered(sentence: Sentence, next: string): boolean {
  if (next === '' || !sentence.closing || !sentence.text.includes('?')) return false;
  if (YES.test(next)) return true;
  const words = new Set(next.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu));
  const asked = new Set(sentence.text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu));
  return [...asked].filter((word) => words.has(word)).length * 3 > asked.size;
}

/** Names in the part of long prompts that is not quoted. */
export function namedItems({ asked }: Collected, level: Level): Item[] {
  const literals = new Set<string>();
  for (const { pieces } of asked) {
    const text = pieces.flatMap((piece) => (isLongBlock(piece) ? [] : piece.text)).join(' ');
    if (text.length <= level.prompt || literals.size > 200) continue;
    const shown = text.slice(0, level.prompt);
    for (const literal of literalsOf(text.slice(level.prompt), 40)) if (!shown.includes(literal)) literals.add(literal);
  }
  return [...literals].map((literal) =>
    item({ section: 'named', line: 'names', mark: '', short: code(literal), worth: 22 }),
  );
}
