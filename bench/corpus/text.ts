import { createRandom, type Random } from './random.ts';

/**
 * What sessions are made of: prose, code and base64, cut from pools that are built once.
 * Words follow Zipf's law over a vocabulary of 30,000, as text does, so that a search index has real work.
 */
export interface TextSource {
  word(random: Random): string;
  /** A short phrase without line breaks, for titles and descriptions. */
  phrase(random: Random, words: number): string;
  /** Sentences with some accents and other scripts, as people and models write. */
  prose(random: Random, length: number): string;
  /** Source code and log lines; ASCII only, always whole lines. */
  code(random: Random, length: number): string;
  base64(random: Random, length: number): string;
  /** A file path inside the project. */
  path(random: Random): string;
}

const VOCABULARY = 30_000;
const PROSE_POOL = 1 << 20;
const CODE_POOL = 3 << 20;
const BASE64_POOL = 4 << 20;

// No syllable has q, x or z: the needles of the truth file have them, so that no word is a needle by chance.
const SYLLABLES =
  'ba be bi bo bu da de di do fa fe fi ga go ha he hi ho ka ke ki ko la le li lo lu ma me mi mo mu na ne ni no pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo wa we ya yo'.split(
    ' ',
  );
const ENDINGS = ['', '', '', 'n', 'r', 's', 't', 'l', 'ng', 'ck', 'rd', 'st'];
// All of these lie in the basic plane: a pool may be cut anywhere without splitting a character.
const FOREIGN = ['naïve', 'größer', 'café', 'déjà vu', 'Привет', '日本語', '→', '“quoted”', '…', '—', 'señor', 'Ω(n²)'];
const EMOJI = ['🚀', '🎉', '🤔', '👍🏽', '🧑‍💻', '✅'];

export function createTextSource(seed: number): TextSource {
  const words = vocabulary(createRandom(seed, 1001));
  const word = (random: Random) => words[Math.floor(words.length ** random.unit()) - 1] ?? 'the';
  const prosePool = buildProse(createRandom(seed, 1002), word);
  const codePool = buildCode(createRandom(seed, 1003), word);
  const base64Pool = buildBase64(createRandom(seed, 1004));
  return {
    word,
    phrase: (random, count) => Array.from({ length: count }, () => word(random)).join(' '),
    prose: (random, length) => {
      const text = fromWord(cut(random, prosePool, Math.max(12, length)));
      return random.chance(0.04) ? `${text} ${random.pick(EMOJI)}` : text;
    },
    code: (random, length) => wholeLines(random, codePool, length),
    base64: (random, length) => cut(random, base64Pool, length - (length % 4)),
    path: (random) => `src/${word(random)}/${word(random)}${random.pick(['.ts', '.ts', '.py', '.go', '.md', '.json'])}`,
  };
}

function vocabulary(random: Random): string[] {
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    let word = '';
    for (let syllables = random.integer(1, 4); syllables > 0; syllables--) word += random.pick(SYLLABLES);
    words.add(word + random.pick(ENDINGS));
  }
  // The shortest first: in language the commonest words are short.
  return [...words].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

function buildProse(random: Random, word: (random: Random) => string): string {
  const sentences: string[] = [];
  for (let length = 0; length < PROSE_POOL; ) {
    const words = Array.from({ length: random.integer(4, 18) }, () => word(random));
    if (random.chance(0.1)) words.push(random.pick(FOREIGN));
    if (random.chance(0.15)) words.push(`\`${word(random)}_${word(random)}()\``);
    const end = random.weighted([
      ['. ', 70],
      ['.\n', 12],
      ['.\n\n', 8],
      [':\n- ', 6],
      ['? ', 4],
    ] as const);
    const sentence = words.join(' ') + end;
    sentences.push(sentence);
    length += sentence.length;
  }
  return sentences.join('');
}

function buildCode(random: Random, word: (random: Random) => string): string {
  const lines: string[] = [];
  for (let length = 0; length < CODE_POOL; ) {
    const line = codeLine(random, word(random), word(random), word(random));
    lines.push(line);
    length += line.length;
  }
  return lines.join('');
}

function codeLine(random: Random, a: string, b: string, c: string): string {
  const indent = '  '.repeat(random.integer(0, 4));
  switch (random.integer(0, 10)) {
    case 0:
      return `${indent}const ${a}_${b} = await ${c}.${a}("${b}", { ${c}: ${random.integer(0, 9999)} });\n`;
    case 1:
      return `${indent}if (${a}.${b} !== null && ${c}["${a}"]) {\n`;
    case 2:
      return `${indent}// ${a} ${b} ${c}\n`;
    case 3:
      return `${indent}return ${a}(${b}, '${c}\\n');\n`;
    case 4:
      return `export function ${a}_${b}(${c}: string): number {\n`;
    case 5:
      return `\t${a}:\t"${b}\\t${c}"\n`;
    case 6:
      return `${indent}}\n`;
    case 7:
      return '\n';
    case 8:
      return `commit ${random.hex(40)} ${a}: ${b} ${c}\n`;
    case 9:
      return `ok  \t${a}/${b}/${c}\t0.${random.integer(100, 999)}s\n`;
    default:
      return `src/${a}/${b}.ts:${random.integer(1, 2000)}:${random.integer(1, 90)}: ${c} 0x${random.hex(8)}\n`;
  }
}

function buildBase64(random: Random): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const bytes = Buffer.alloc(BASE64_POOL);
  for (let i = 0; i < BASE64_POOL; i++) bytes[i] = alphabet.charCodeAt(random.integer(0, 63));
  return bytes.toString('latin1');
}

function cut(random: Random, pool: string, length: number): string {
  const wanted = Math.min(Math.max(0, Math.round(length)), pool.length);
  const start = random.integer(0, pool.length - wanted);
  return pool.slice(start, start + wanted);
}

/** Without the rest of a word that was cut in two. */
function fromWord(text: string): string {
  return text.slice(text.indexOf(' ') + 1);
}

function wholeLines(random: Random, pool: string, length: number): string {
  const text = cut(random, pool, length + 60);
  const start = text.indexOf('\n') + 1;
  const end = text.lastIndexOf('\n');
  return end > start ? text.slice(start, end) : text.replaceAll('\n', ' ').trim();
}
