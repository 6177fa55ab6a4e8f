// What was said in the turns, as things to be told: prompts, older summaries, sentences of replies.

import type { Asked, Collected, Sentence } from './summary-collect.ts';
import { worthOf } from './summary-collect.ts';
import { isCorrection, weighPrompt, weighReply } from './summary-cues.ts';
import { type Item, item } from './summary-fit.ts';
import type { Level } from './summary-levels.ts';
import { clip, literalsOf, oneLine } from './summary-sentences.ts';

/** Older summaries line by line: whole where they are short, else the lines that say most. */
export function carriedItems(collected: Collected, room: number): Item[] {
  const items: Item[] = [];
  const size = collected.carried.reduce((sum, text) => sum + text.length, 0);
  const whole = size < room * 0.5;
  for (const text of collected.carried) {
    let under = '';
    for (const line of text.split('\n')) {
      const heading = /^\s*#{1,6}\s+(.*)$/.exec(line)?.[1];
      if (heading !== undefined) under = oneLine(heading);
      const bare = line.trimEnd();
      if (heading !== undefined || bare.trim() === '' || bare.trim() === '```') continue;
      const worth = whole ? 97 : 40 + 3 * Math.min(8, weighReply(bare).score);
      items.push(
        item({
          section: 'carried',
          under,
          line: `${items.length}`,
          mark: '',
          short: clip(bare, 240),
          long: clip(bare, whole ? 20_000 : 2000),
          worth,
          longWorth: whole ? 96 : worth - 12,
        }),
      );
    }
  }
  return items;
}

/** Each prompt by its first sentence; then its rules, its choices and the rest; then what came of it. */
export function askedItems(asked: Asked[], level: Level): Item[] {
  return asked.flatMap((prompt, index) => {
    const line = `prompt ${index}`;
    const correction = isCorrection(prompt.text);
    let room = correction ? 2500 : level.prompt;
    const items = prompt.sentences.flatMap((sentence, place): Item[] => {
      // What is beyond is only counted.
      if (place > 0 && room < 0) return [item({ section: 'asked', line, short: '', worth: 0 })];
      const worth = place === 0 ? 100 : correction ? 92 : 40 + 4 * Math.min(8, weighPrompt(sentence));
      room -= sentence.length;
      const long = clip(sentence, 700);
      return [
        item({
          section: 'asked',
          line,
          mark: `${index + 1}. `,
          short: clip(sentence, place === 0 ? 160 : 300),
          long,
          worth,
          longWorth: worth - 15,
        }),
      ];
    });
    if (prompt.outcome === '') return items;
    const outcome = item({
      section: 'asked',
      line: `${line} outcome`,
      mark: '   → ',
      short: clip(prompt.outcome, 140),
      long: clip(prompt.outcome, level.outcome),
      worth: 52,
      longWorth: 34,
    });
    return [...items, outcome];
  });
}

/** The end of the last reply says what came of it all, and what the agent would do next. */
export function stoodItems({ lastSentences }: Collected): Item[] {
  const short = clip(lastSentences.slice(-2).join(' '), 240);
  if (short === '') return [];
  const long = lastSentences.slice(-6).join(' ').slice(-900);
  return [
    item({
      section: 'stood',
      mark: '',
      short,
      long: long.length > short.length ? long : short,
      worth: 90,
      longWorth: 60,
    }),
  ];
}

export function answerItems({ answers }: Collected): Item[] {
  return answers.map(({ prompt, text, short }) =>
    item({ section: 'decided', short: `(${prompt}) ${short}`, long: `(${prompt}) ${text}`, worth: 75, longWorth: 55 }),
  );
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
  for (const { sentences } of asked) {
    const text = sentences.join(' ');
    if (text.length <= level.prompt || literals.size > 200) continue;
    const shown = text.slice(0, level.prompt);
    for (const literal of literalsOf(text.slice(level.prompt), 40)) if (!shown.includes(literal)) literals.add(literal);
  }
  return [...literals].map((literal) =>
    item({ section: 'named', line: 'names', mark: '', short: `\`${literal}\``, worth: 22 }),
  );
}
