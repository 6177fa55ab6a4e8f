// Colours by what a thing is, not by their names: one place decides how Palimpsest looks.

/** Codes of ANSI terminals: how it begins, how it ends. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

const TONES = {
  title: ['bold'],
  prompt: ['bold', 'cyan'],
  dim: ['dim'],
  strong: ['bold'],
  emphasis: ['italic'],
  code: ['yellow'],
  link: ['underline'],
  heading: ['bold', 'underline'],
  tool: ['blue'],
  good: ['green'],
  bad: ['red'],
  added: ['green'],
  removed: ['red'],
  hunk: ['cyan'],
  command: ['cyan'],
  hit: ['bold', 'yellow'],
  compaction: ['magenta'],
  clear: ['magenta'],
  rewind: ['magenta'],
  interruption: ['yellow'],
  rejection: ['red'],
  denial: ['red'],
  failure: ['red'],
} as const satisfies Record<string, (keyof typeof CODES)[]>;

export type Tone = keyof typeof TONES;

/** Gives a text its colours, or leaves it as it is. */
export type Paint = (tone: Tone, text: string) => string;

export function painter({ colour }: { colour: boolean }): Paint {
  if (!colour) return (_, text) => text;
  return (tone, text) =>
    text === ''
      ? ''
      : TONES[tone].reduce((painted, name) => `\u001b[${CODES[name][0]}m${painted}\u001b[${CODES[name][1]}m`, text);
}
