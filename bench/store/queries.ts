// Kinds of queries, drawn from the words that the store really holds.

import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRandom, type Random } from '../corpus/random.ts';
import type { Corpus } from './corpus.ts';

/** So many of each kind. */
const COUNT = 100;

export const RARE = 'a rare word (some 300 messages)';

export function queriesFor(store: string, corpus: Corpus, seed: number): Record<string, string[]> {
  const random = createRandom(seed, 700_000);
  const words = wordsIn(store);
  const zipf = asInText(words, random);
  const twenty = words.slice(0, 20).map(({ word }) => word);
  return {
    'a needle (some 26 messages)': nearest(words, 26),
    [RARE]: nearest(words, 300),
    'a word as often as in text': times(zipf),
    'two words': times(() => `${zipf()} ${zipf()}`),
    'a phrase of common words': phrases(corpus, new Set(words.slice(0, 300).map(({ word }) => word)), random),
    'the first five letters of a word': times(() => `${longer(zipf).slice(0, 5)}*`),
    'the 20 commonest words': times((i) => twenty[i % 20] ?? ''),
  };
}

function times(make: (i: number) => string): string[] {
  return Array.from({ length: COUNT }, (_, i) => make(i));
}

interface Word {
  word: string;
  /** In so many messages. */
  messages: number;
}

/** Words of Latin letters, the commonest first. */
function wordsIn(store: string): Word[] {
  const counts = new Map<string, number>();
  for (const name of readdirSync(store).filter((file) => file.endsWith('.db'))) {
    const database = new DatabaseSync(join(store, name), { readOnly: true });
    const lists = database.prepare("select name from sqlite_schema where sql like 'create virtual table%fts5(%'").all();
    lists.forEach((list, i) => {
      database.exec(`create virtual table temp.words${i} using fts5vocab(main, '${list.name}', row)`);
      const common = database.prepare(`select term, doc from temp.words${i} where doc > 2 and term glob '[a-z][a-z]*'`);
      for (const { term, doc } of common.iterate())
        if (/^[a-z]+$/.test(String(term))) counts.set(String(term), (counts.get(String(term)) ?? 0) + Number(doc));
    });
    database.close();
  }
  if (counts.size < COUNT) throw new Error(`The store in ${store} holds too few words to ask for.`);
  const words = [...counts].map(([word, messages]) => ({ word, messages }));
  return words.sort((a, b) => b.messages - a.messages || (a.word < b.word ? -1 : 1));
}

/** Drawn as they would be from text: common ones often. */
function asInText(words: readonly Word[], random: Random): () => string {
  let sum = 0;
  const ends = words.map(({ messages }) => {
    sum += messages;
    return sum;
  });
  return () => {
    const place = random.unit() * sum;
    return words[ends.findIndex((end) => end > place)]?.word ?? '';
  };
}

function longer(draw: () => string): string {
  for (;;) {
    const word = draw();
    if (word.length > 5) return word;
  }
}

/** The words whose number of messages is nearest to this one. */
function nearest(words: readonly Word[], messages: number): string[] {
  const distance = (word: Word) => Math.abs(Math.log(word.messages / messages));
  return [...words]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, COUNT)
    .map(({ word }) => word);
}

const PIECE = 1 << 16;
const TRIES = 50_000;

/** Two neighbours as they stand in a transcript. The blanks around them keep out escapes. */
function phrases({ files }: Corpus, common: ReadonlySet<string>, random: Random): string[] {
  const found = new Set<string>();
  const piece = Buffer.alloc(PIECE);
  for (let tries = 0; found.size < COUNT && tries < TRIES; tries++) {
    const { path, bytes } = random.pick(files);
    const descriptor = openSync(path, 'r');
    const read = readSync(descriptor, piece, 0, PIECE, random.integer(0, Math.max(0, bytes - PIECE)));
    closeSync(descriptor);
    const pairs = [...piece.toString('latin1', 0, read).matchAll(/(?<= )([a-z]+) ([a-z]+)(?= )/g)];
    const known = pairs.filter(([, one = '', two = '']) => common.has(one) && common.has(two));
    if (known.length > 0) found.add(`"${random.pick(known)[0]}"`);
  }
  return [...found];
}
