// The same rows written otherwise, and rows with more in them than a client writes: what a reader must take as `JSON.parse` does.

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** How a value is written. */
interface Hand {
  order(keys: string[]): string[];
  colon: string;
  comma: string;
  key(name: string): string;
  text(text: string): string;
}

const plain: Hand = {
  order: (keys) => keys,
  colon: ':',
  comma: ',',
  key: (name) => JSON.stringify(name),
  text: (text) => JSON.stringify(text),
};

/** Every letter as an escape; nothing else changes. */
function escaped(text: string): string {
  return JSON.stringify(text).replace(
    /(\\.)|[a-z]/g,
    (letter, kept) => kept ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function written(value: Value, hand: Hand): string {
  if (typeof value === 'string') return hand.text(value);
  if (Array.isArray(value)) return `[${value.map((entry) => written(entry, hand)).join(hand.comma)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = hand.order(Object.keys(value));
  return `{${keys.map((key) => `${hand.key(key)}${hand.colon}${written(value[key] ?? null, hand)}`).join(hand.comma)}}`;
}

/** Puts text behind the brace that opens the row, or before the one that closes it. */
function behind(line: string, more: string): string {
  return line === '{}' ? line : `${line.slice(0, -1)},${more}}`;
}

function before(line: string, more: string): string {
  return line === '{}' ? line : `{${more},${line.slice(1)}`;
}

const TOKENS = '{"input_tokens":7,"output_tokens":7,"input":7,"output":7}';
const MORE = `"toolUseResult":{"usage":${TOKENS},"tokens":${TOKENS},"type":"assistant","payload":{"type":"token_count"}}`;
const IN_A_STRING = `"note":${JSON.stringify(`"usage":${TOKENS},"tokens":${TOKENS},"type":"assistant"`)}`;
const LONG = `"pad":"${'x'.repeat(30_000)}"`;

/** Of a key that stands twice the last one counts. */
function twice(line: string, keys: string[]): string {
  return line.replace(new RegExp(`"(${keys.join('|')})":`, 'g'), (found, key) => `"${key}":${TOKENS},${found}`);
}

/** Half of all rows, whatever they are: neighbours are written differently. */
function isChosen(line: string): boolean {
  return Buffer.from(line).reduce((sum, byte) => sum + byte, 0) % 2 === 0;
}

const asWritten = (hand: Partial<Hand>) => (line: string) => written(JSON.parse(line), { ...plain, ...hand });

export const LONG_ROW = (line: string) => behind(line, `"pad":"${'x'.repeat(2500)}"`);

/** One row → the row written otherwise. */
export const REWRITES: Record<string, (line: string) => string> = {
  'keys in another order': asWritten({ order: (keys) => keys.toReversed() }),
  'keys in alphabetical order': asWritten({ order: (keys) => keys.toSorted() }),
  'spaces behind colons and commas': asWritten({ colon: ': ', comma: ', ' }),
  'space everywhere': asWritten({ colon: '\t:  ', comma: ' \t, ' }),
  'spaces in half of them': (line) => (isChosen(line) ? asWritten({ colon: ': ', comma: ', ' })(line) : line),
  'letters of keys in escapes': asWritten({ key: escaped }),
  'letters of texts in escapes': asWritten({ text: escaped }),
  'all letters in escapes': asWritten({ key: escaped, text: escaped }),
  'one key in escapes': (line) =>
    line.replaceAll('"usage":', '"us\\u0061ge":').replaceAll('"tokens":', '"tok\\u0065ns":'),
  'a key twice, plain and in escapes': (line) => line.replaceAll('"usage":', `"usage":${TOKENS},"us\\u0061ge":`),
  'keys twice': (line) => twice(line, ['usage', 'tokens', 'info', 'id', 'model', 'type', 'message', 'payload']),
  'the type twice': (line) => behind(line, '"type":"user"'),
  'another type before': (line) => before(line, '"type":"assistant"'),
  'tokens elsewhere, behind': (line) => behind(line, MORE),
  'tokens elsewhere, before': (line) => before(line, MORE),
  'tokens in a string': (line) => behind(before(line, IN_A_STRING), IN_A_STRING),
  'a long row, behind': (line) => behind(line, LONG),
  'a long row, before': (line) => before(line, LONG),
  'long on all sides': (line) => before(behind(line.replaceAll('"usage":', `${LONG},"usage":`), LONG), LONG),
  'the same id in all': (line) => line.replace(/"(uuid|id)":"[^"]*"/g, '"$1":"x"'),
  'copies that tell other tokens': (line) =>
    `${line}\n${line.replace(/("[a-z_]*tokens"|"input"|"output"):\d+/g, '$1:9')}`,
  'copies of another kind before': (line) => `${line.replace('"type":"assistant"', '"type":"system"')}\n${line}`,
  'CR LF': (line) => `${line}\r`,
};
