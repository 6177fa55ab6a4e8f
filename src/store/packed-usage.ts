// The requests of a session in two blocks of numbers: a cold run over a large history writes thousands of blocks instead of
// hundreds of thousands of rows, and reads only the keys to find what two sessions share.

import type { Usage } from '../schema/message.ts';
import { momentOf } from '../schema/moments.ts';
import { hashOf } from '../schema/text-hash.ts';
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
  let [lastModel, number]: [string | null, number] = [null, NONE];
  for (let i = 0, at = 0; i < requests.length; i++, at += WIDTH) {
    const { key, timestamp, model, usage, inherited } = requests[i] as UsageRow; // i < length
    keys[i] = key === null ? NO_KEY : hashOf(key);
    // Mostly the one before.
    if (model !== lastModel) {
      if (model !== null && !models.has(model)) models.set(model, models.size);
      lastModel = model;
      number = model === null ? NONE : (models.get(model) ?? NONE);
    }
    const time = timestamp === null ? Number.NaN : momentOf(timestamp);
    rows[at] = Number.isNaN(time) ? NONE : time;
    rows[at + 1] = number;
    rows[at + 2] = usage.input_tokens;
    rows[at + 3] = usage.cache_read_tokens;
    rows[at + 4] = usage.cache_write_5m_tokens;
    rows[at + 5] = usage.cache_write_1h_tokens;
    rows[at + 6] = usage.output_tokens;
    rows[at + 7] = usage.reasoning_tokens;
    rows[at + 8] = usage.web_searches;
    rows[at + 9] = (usage.estimated ? 1 : 0) + (inherited === true ? 2 : 0);
  }
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

export function unpackUsage(packed: Pick<PackedUsage, 'rows' | 'models'>): StoredRequest[] {
  const requests = new StoredRequests(packed);
  return Array.from({ length: requests.count }, (_, row) => ({
    time: requests.timeOf(row),
    model: requests.modelOf(row),
    usage: requests.usageOf(row),
    inherited: requests.isInherited(row),
  }));
}

/** The same, one by one: who adds up thousands needs no object for each. */
export class StoredRequests {
  readonly count: number;
  private readonly rows: Float64Array;
  private readonly models: string[];

  constructor({ rows, models }: Pick<PackedUsage, 'rows' | 'models'>) {
    this.rows = numbersIn(rows);
    this.models = JSON.parse(models);
    this.count = this.rows.length / WIDTH;
  }

  timeOf(row: number): number | null {
    const time = this.at(row, 0);
    return time === NONE ? null : time;
  }

  modelOf(row: number): string | null {
    return this.models[this.at(row, 1)] ?? null;
  }

  isInherited(row: number): boolean {
    return this.at(row, 9) >= 2;
  }

  usageOf(row: number): Usage {
    return {
      input_tokens: this.at(row, 2),
      cache_read_tokens: this.at(row, 3),
      cache_write_5m_tokens: this.at(row, 4),
      cache_write_1h_tokens: this.at(row, 5),
      output_tokens: this.at(row, 6),
      reasoning_tokens: this.at(row, 7),
      web_searches: this.at(row, 8),
      estimated: this.at(row, 9) % 2 === 1,
    };
  }

  private at(row: number, column: number): number {
    return this.rows[row * WIDTH + column] ?? 0;
  }
}

/** What requests are known by, in their order; below zero for those that nothing tells. */
export function keysIn(bytes: Uint8Array): Float64Array {
  return numbersIn(bytes);
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** The bytes of a database need not begin where numbers can: then they are copied. */
function numbersIn(bytes: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = byteOffsetFits(bytes) ? bytes : bytes.slice();
  return new Float64Array(buffer, byteOffset, byteLength / Float64Array.BYTES_PER_ELEMENT);
}

function byteOffsetFits({ byteOffset }: Uint8Array): boolean {
  return byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
}
