// Patterns that are held against the texts themselves, and which words a text must have to fit one: so that not every message
// has to be read.

import { GAP, type Letters, MARK } from '../store/letters.ts';
import type { Finder, FoundPlace } from './find-words.ts';
import { BadQuery } from './search-query.ts';

export interface ScanPattern {
  finder: Finder;
  /** Parts of it that every text that fits has, as they stand in the pattern. */
  required: Literal[];
  /** Whether capital letters count. */
  isCaseSensitive: boolean;
}

/** Characters one after the other. What is next to them is unknown, unless it is known to be no part of a word. */
export interface Literal {
  text: string;
  isStart: boolean;
  isEnd: boolean;
}

/** These very characters. */
export function exactPattern(text: string): ScanPattern {
  if (text === '') throw new BadQuery('Nothing to look for. Give the characters that must occur.');
  return {
    finder: { count: 1, places: (within, from) => exactPlaces(text, within, from) },
    required: [{ text, isStart: false, isEnd: false }],
    isCaseSensitive: true,
  };
}

function* exactPlaces(text: string, within: string, from: number): Generator<FoundPlace> {
  for (let at = within.indexOf(text, from); at !== -1; at = within.indexOf(text, at + text.length))
    yield { start: at, end: at + text.length, what: 0 };
}

/** A JavaScript regular expression: /…/i with flags, or without the slashes. */
export function regexPattern(text: string): ScanPattern {
  const written = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text);
  // The others tell nothing here: all places are looked for, and letters are taken as Unicode has them.
  const [source, flags] = [written?.[1] ?? text, (written?.[2] ?? '').replace(/[dguvy]/g, '')];
  if (source === '') throw new BadQuery('Nothing to look for. Give a regular expression.');
  if (MISTYPED_FLAGS.test(text) && written === null)
    throw new BadQuery(
      `${text} ends in a flag that there is not: those of regular expressions are d, g, i, m, s, u, v and y. To look for its slashes, too, use --exact, or put a backslash before the first.`,
    );
  if (ONLY_PLACES.test(source))
    throw new BadQuery(
      `${text} fits between characters only, so that there is nothing to show. Give one that must occur.`,
    );
  const regex = compiled(source, `${flags}u`) ?? compiled(source, flags);
  if (regex === undefined) throw new BadQuery(`${text} is no regular expression: ${troubleWith(source, flags)}.`);
  return {
    finder: { count: 1, places: (within, from) => regexPlaces(regex, within, from) },
    required: requiredLiterals(source),
    isCaseSensitive: !flags.includes('i'),
  };
}

/** One or two letters behind the second slash: more of them are rather a path. */
const MISTYPED_FLAGS = /^\/(?:[^/\\]|\\.)+\/[a-zA-Z]{1,2}$/s;

/** Beginnings, ends, edges of words. */
const ONLY_PLACES = /^(?:\^|\$|\\[bB]|\||\(\?:\))+$/;

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, `g${flags}`);
  } catch {
    return undefined;
  }
}

/** What the engine says comes with the pattern and with words of its own. */
function troubleWith(source: string, flags: string): string {
  try {
    new RegExp(source, flags);
    return '';
  } catch (error) {
    return (
      String((error as Error).message)
        .split(': ')
        .at(-1) ?? ''
    );
  }
}

/** Empty ones show nothing. */
function* regexPlaces(regex: RegExp, within: string, from: number): Generator<FoundPlace> {
  regex.lastIndex = from;
  for (let match = regex.exec(within); match !== null; match = regex.exec(within)) {
    const end = match.index + match[0].length;
    // In the middle of a letter of two code units it would go back to where it was.
    if (end === match.index) regex.lastIndex = end + ((within.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    else yield { start: match.index, end, what: 0 };
  }
}

/**
 * The characters that every match has, as far as a simple look tells. What it does not know stands for anything; where it might
 * misread the rest of the pattern, it gives up.
 */
export function requiredLiterals(source: string): Literal[] {
  const found: Literal[] = [];
  let [text, isStart] = ['', false];
  const end = (isEnd: boolean, isNextStart = false) => {
    if (text !== '') found.push({ text, isStart, isEnd });
    [text, isStart] = ['', isNextStart];
  };
  for (let at = 0; at < source.length; ) {
    const atom = atomAt(source, at);
    if (atom === undefined) return [];
    const repeat = REPEAT.exec(source.slice(at + atom.length))?.[0] ?? '';
    at += atom.length + repeat.length;
    const isOnce = repeat === '';
    const isOptional = /^(?:\*|\?|\{0)/.test(repeat);
    if (atom.kind === 'gap') end(!isOptional, !isOptional);
    else if (atom.kind !== 'letter' || isOptional) end(false);
    else {
      text += atom.letter;
      if (!isOnce) end(false);
    }
  }
  end(false);
  return found;
}

const REPEAT = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

type Atom = { length: number } & ({ kind: 'letter'; letter: string } | { kind: 'gap' | 'anything' });

/** Undefined for what cannot be told apart simply: another branch, a code, a reference. */
function atomAt(source: string, at: number): Atom | undefined {
  const letter = source[at] ?? '';
  if (letter === '|') return undefined;
  if (letter === '\\') return escapeAt(source[at + 1] ?? '');
  if (letter === '^' || letter === '$') return { kind: 'gap', length: 1 };
  if (letter === '.') return { kind: 'anything', length: 1 };
  if (letter === '[' || letter === '(') {
    const length = groupLength(source, at);
    return length === undefined ? undefined : { kind: 'anything', length };
  }
  const code = source.codePointAt(at) ?? 0;
  return { kind: 'letter', letter: String.fromCodePoint(code), length: code > 0xffff ? 2 : 1 };
}

function escapeAt(letter: string): Atom | undefined {
  if (letter === 's') return { kind: 'gap', length: 2 };
  if (/[dDwWSbB]/.test(letter)) return { kind: 'anything', length: 2 };
  if (/[nrtfv]/.test(letter)) return { kind: 'gap', length: 2 };
  return /[\p{L}\p{N}]/u.test(letter) || letter === '' ? undefined : { kind: 'letter', letter, length: 2 };
}

/** Of a class or a group, with what is in it. */
function groupLength(source: string, start: number): number | undefined {
  let depth = 0;
  let isClass = false;
  for (let at = start; at < source.length; at++) {
    const letter = source[at];
    if (letter === '\\') at++;
    else if (isClass) isClass = letter !== ']';
    else if (letter === '[') isClass = true;
    else if (letter === '(') depth++;
    else if (letter === ')') depth--;
    if (depth === 0 && !isClass) return at + 1 - start;
  }
  return undefined;
}

/** A word list's query that every text fits which has these literals; null where nothing is certain. */
export function narrowing({ required, isCaseSensitive }: ScanPattern, letters: Letters): string | null {
  const phrases = required.flatMap((literal) => phraseOf(literal, isCaseSensitive, letters));
  return phrases.length === 0 ? null : phrases.join(' AND ');
}

/** Beginnings of words shorter than this are those of so many words that looking them up takes longer than it saves. */
const LEAST_PREFIX = 3;

/** A literal may begin in the middle of a word and end in another: whole words stand only between. */
function phraseOf({ text, isStart, isEnd }: Literal, isCaseSensitive: boolean, letters: Letters): string[] {
  // Half a letter of two code units may be any letter. Not all that the engine takes for the same letter is one for the word lists.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (!text.isWellFormed() || (!isCaseSensitive && /[^\u0000-\u007f]/.test(text))) return [];
  const words = [''];
  for (const letter of text) {
    const kept = letters(letter.codePointAt(0) ?? 0);
    if (kept === GAP) words.push('');
    else if (kept !== MARK) words[words.length - 1] += String.fromCodePoint(kept);
  }
  const first = isStart ? '' : words.shift();
  const last = isEnd || (first !== undefined && words.length === 0) ? '' : (words.pop() ?? '');
  const whole = words.filter((word) => word !== '');
  const prefix = last.length >= LEAST_PREFIX ? [last] : [];
  const phrase = [...whole, ...prefix].join(' ');
  return phrase === '' ? [] : [`"${phrase}"${prefix.length > 0 ? '*' : ''}`];
}
