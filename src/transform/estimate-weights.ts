// How many tokens a piece of a message has before a session's own usage is looked at.
//
// The numbers were fitted once, on 2,275 pairs of neighbouring requests of the wild Claude Code sessions
// (1.0.17 – 2.1.172): what the recorded input grew by, against the characters that were added between the two.
// The middle error of one such step is 5.5 % (older models) and 3.9 % (newer ones).

import type { Block, Json, ResultPart, Text } from '../schema/blocks.ts';
import { DEEPEST } from '../schema/json-text.ts';

/** What one character or block costs with the models of one tokenizer. */
export interface Weights {
  lower: number;
  upper: number;
  digit: number;
  punctuation: number;
  space: number;
  newline: number;
  /** Accents, arrows, box drawings. */
  symbol: number;
  /** Chinese, Japanese, Korean and all that follows. Almost none in the wild data: a common rule of thumb. */
  wide: number;
  /** A byte of a string too large to be read: the mean over the tool results of the wild data. */
  unread: number;
  /** A character of thinking, which is prose. */
  thinking: number;
  /** A call and its result together, beyond their characters. Only the sum can be measured. */
  call: number;
}

const OLDER: Weights = {
  lower: 0.21,
  upper: 0.39,
  digit: 0.88,
  punctuation: 0.84,
  space: 0.01,
  newline: 2.6,
  symbol: 0.8,
  wide: 1.2,
  unread: 0.34,
  thinking: 0.295,
  call: 77,
};

// From Opus 4.7 on the same text has about a quarter more tokens: letters cost more, digits and signs the same.
const NEWER: Weights = {
  lower: 0.35,
  upper: 1.08,
  digit: 0.84,
  punctuation: 0.83,
  space: 0,
  newline: 1.7,
  symbol: 1.3,
  wide: 1.2,
  unread: 0.43,
  thinking: 0.375,
  call: 71,
};

/** The models whose usage fitted the older numbers; later ones are taken for newer. */
const OLDER_MODELS = /^claude-(\d|(opus|sonnet|haiku)-4(-[1-6])?(-\d{8}|$))|^(?!claude)/;

export function weightsOf(model: string | null): Weights {
  return model === null || OLDER_MODELS.test(model) ? OLDER : NEWER;
}

/**
 * Whether thinking of earlier turns is still in the request. Up to Opus 4.1, Sonnet 4.5 and Haiku 4.5 the API
 * takes it out when a new prompt comes: at 18 prompts with much thinking before them, the input fell by 0.98 of its
 * tokens (median). With Opus 4.5 to 4.8 and Sonnet 4.6 it stays: at 56 such prompts the input fell by 0.00.
 */
export function keepsThinking(model: string | null): boolean {
  return model === null || !/^claude-(\d|(opus|sonnet|haiku)-4(-1)?(-\d{8}|$)|(sonnet|haiku)-4-5)/.test(model);
}

// "[Old tool result content cleared]".
const CLEARED_RESULT = 10;
// What stands around an attachment: a reminder's tags and a sentence.
const ATTACHMENT = 30;

export function weightOfBlock(block: Block, weights: Weights): number {
  switch (block.type) {
    case 'text':
      return weightOfText(block.text, weights);
    case 'thinking':
      return weights.thinking * thinkingCharacters(block);
    case 'tool_use':
      return weights.call / 2 + weightOfText(block.name, weights) + weightOfJson(block.input, weights);
    case 'tool_result':
      return weights.call / 2 + (block.cleared_by === null ? weightOfParts(block.content, weights) : CLEARED_RESULT);
    case 'image':
      return weightOfImage(block.data);
    case 'attachment':
      return ATTACHMENT + (block.text === null ? weightOfJson(block.data, weights) : weightOfText(block.text, weights));
    case 'unknown':
      return weightOfJson(block.data, weights);
  }
}

/** What a result loses when its content is cleared. */
export function weightLostByClearing(block: Block, weights: Weights): number {
  if (block.type !== 'tool_result' || block.cleared_by === null) return 0;
  return weightOfParts(block.content, weights) - CLEARED_RESULT;
}

/** `details` are the client's own; only the content is sent. */
function weightOfParts(parts: readonly ResultPart[], weights: Weights): number {
  let sum = 0;
  for (const part of parts) {
    if (part.type === 'text') sum += weightOfText(part.text, weights);
    else if (part.type === 'image') sum += weightOfImage(part.data);
    else sum += weightOfJson(part.data, weights);
  }
  return sum;
}

type Thinking = Extract<Block, { type: 'thinking' }>;

// A signature holds the whole thinking, encrypted, in base64 with some 230 characters around it, while the text is
// often only a summary (Opus 4.6) or empty (from 4.7 on). Of 15 long blocks of 4.6, 12 cost 0.17 to 0.29 tokens
// per character of signature; per character of text it was 0.15 to 1.53.
const SIGNATURE_FRAME = 230;
const CHARACTERS_PER_BASE64 = 0.75;

function thinkingCharacters({ text, signature, encrypted }: Thinking): number {
  const sealed = lengthOf(signature) + lengthOf(encrypted);
  if (sealed === 0) return lengthOf(text);
  return Math.max(0, sealed - SIGNATURE_FRAME) * CHARACTERS_PER_BASE64;
}

function lengthOf(text: Text | null): number {
  if (text === null) return 0;
  return typeof text === 'string' ? text.length : text.omitted_bytes;
}

export function weightOfText(text: Text, weights: Weights): number {
  if (typeof text !== 'string') return text.omitted_bytes * weights.unread;
  const table = tableOf(weights);
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128)
      sum += table[code] as number; // it has 128 entries
    else sum += code < 0x2e80 ? weights.symbol : weights.wide;
  }
  return sum;
}

const tables = new Map<Weights, Float64Array>();

function tableOf(weights: Weights): Float64Array {
  const known = tables.get(weights);
  if (known !== undefined) return known;
  const table = Float64Array.from({ length: 128 }, (_, code) => weights[classOf(String.fromCharCode(code))]);
  tables.set(weights, table);
  return table;
}

function classOf(character: string): keyof Weights {
  if (/[a-z]/.test(character)) return 'lower';
  if (/[A-Z]/.test(character)) return 'upper';
  if (/[0-9]/.test(character)) return 'digit';
  if (character === '\n') return 'newline';
  return character <= ' ' ? 'space' : 'punctuation';
}

/** Arguments are sent as JSON: their strings, and the signs between them. Deeper than anything that was seen they count as nothing. */
function weightOfJson(value: Json, weights: Weights, levels = DEEPEST): number {
  if (typeof value === 'string') return weightOfText(value, weights) + weights.punctuation;
  if (typeof value !== 'object' || value === null) return weightOfText(String(value), weights);
  if (levels === 0) return 0;
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + weightOfJson(item, weights, levels - 1), 1);
  const { omitted_bytes: omitted, offset } = value;
  if (typeof omitted === 'number' && typeof offset === 'number') return omitted * weights.unread;
  let sum = weights.punctuation;
  for (const [key, item] of Object.entries(value)) {
    sum += weightOfText(key, weights) + 2 * weights.punctuation + weightOfJson(item, weights, levels - 1);
  }
  return sum;
}

// A pixel costs 1/750 token, after the image was shrunk to a side of 1568 and to 1600 tokens at most
// (Anthropic's page on vision). One of 1996 × 198 was measured at 380: the rule says 325.
const LARGEST_SIDE = 1568;
const LARGEST_IMAGE = 1600;
const PIXELS_PER_TOKEN = 750;

function weightOfImage(data: Text | null): number {
  const sides = typeof data === 'string' ? pngSides(data) : undefined;
  if (sides === undefined) return LARGEST_IMAGE;
  const shrink = Math.min(1, LARGEST_SIDE / Math.max(...sides));
  return Math.min(LARGEST_IMAGE, (sides[0] * sides[1] * shrink * shrink) / PIXELS_PER_TOKEN);
}

/** Width and height are in bytes 16 to 23 of a PNG, which is what clients paste. */
function pngSides(data: string): [number, number] | undefined {
  if (!data.startsWith('iVBORw0KGgo')) return undefined;
  const head = atob(data.slice(0, 32));
  const number = (at: number): number =>
    [0, 1, 2, 3].reduce((value, byte) => value * 256 + head.charCodeAt(at + byte), 0);
  return [number(16), number(20)];
}
