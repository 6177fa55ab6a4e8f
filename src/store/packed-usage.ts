// The requests of a session in two blocks of numbers: a cold run over a large history writes thousands of blocks instead of
// hundreds of thousands of rows, and reads only the keys to find what two sessions share.

import type { Usage } from '../schema/message.ts';
import type { UsageRow } from '../schema/usage-row.ts';

export interface PackedUsage {
  keys: Uint8Array;
  rows: Uint8Array;
  models: string;
}

/** Numbers of each request: time, model, seven counts of tokens, whether they are estimates (1) and another session's (2). */
const WIDTH = 10;
/** Of what cannot be known again elsewhere. */
const NO_KEY = -1;
const NONE = -1;

export function packUsage(requests: readonly UsageRow[]): PackedUsage {
  const keys = new Float64Array(requests.length);
  const rows = new Float64Array(requests.length * WIDTH);
  const models = new Map<string, number>();
  requests.forEach(({ key, timestamp, model, usage, inherited }, i) => {
    keys[i] = key === null ? NO_KEY : hashOf(key);
    if (model !== null && !models.has(model)) models.set(model, models.size);
    const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
    const at = i * WIDTH;
    rows[at] = Number.isNaN(time) ? NONE : time;
    rows[at + 1] = model === null ? NONE : (models.get(model) ?? NONE);
    rows[at + 2] = usage.input_tokens;
    rows[at + 3] = usage.cache_read_tokens;
    rows[at + 4] = usage.cache_write_5m_tokens;
    rows[at + 5] = usage.cache_write_1h_tokens;
    rows[at + 6] = usage.output_tokens;
    rows[at + 7] = usage.reasoning_tokens;
    rows[at + 8] = usage.web_searches;
    rows[at + 9] = (usage.estimated ? 1 : 0) + (inherited === true ? 2 : 0);
  });
  return { keys: bytesOf(keys), rows: bytesOf(rows), models: JSON.stringify([...models.keys()]) };
}

export interface StoredRequest {
  /** Milliseconds since 1970; null where no row has a time. */
  time: number | null;
  model: string | null;
  usage: Usage;
  /** It counts in another session. */
  inherited: boolean;
}

export function unpackUsage({ rows: bytes, models: names }: Pick<PackedUsage, 'rows' | 'models'>): StoredRequest[] {
  const rows = numbersIn(bytes);
  const models: string[] = JSON.parse(names);
  return Array.from({ length: rows.length / WIDTH }, (_, i) => {
    const at = (column: number) => rows[i * WIDTH + column] ?? 0;
    return {
      time: at(0) === NONE ? null : at(0),
      model: models[at(1)] ?? null,
      usage: {
        input_tokens: at(2),
        cache_read_tokens: at(3),
        cache_write_5m_tokens: at(4),
        cache_write_1h_tokens: at(5),
        output_tokens: at(6),
        reasoning_tokens: at(7),
        web_searches: at(8),
        estimated: at(9) % 2 === 1,
      },
      inherited: at(9) >= 2,
    };
  });
}

/** What requests are known by, in their order; below zero for those that nothing tells. */
export function keysIn(bytes: Uint8Array): Float64Array {
  return numbersIn(bytes);
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Copied: the bytes of a database need not begin where numbers can. */
function numbersIn(bytes: Uint8Array): Float64Array {
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

/** 53 bits, all that a number holds exactly: of a million requests two are taken for one with a chance of 1 in 18,000. */
function hashOf(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return 0x100000000 * (low & 0x1fffff) + (high >>> 0);
}
