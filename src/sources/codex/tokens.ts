// Which message a request's tokens belong to. From 0.153 on a record follows the items of each response; before, only
// running totals tell: a request was answered when they moved. Totals are repeated, and estimated after a compaction.

import type { Usage } from '../../schema/message.ts';
import type { LostRequest, OutlineMessage } from '../../schema/outline.ts';
import { integerAt, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import type { Row } from './rows.ts';
import { usageOf } from './usage.ts';

interface Request {
  usage: Usage;
  response_id: string | null;
  model: string | null;
  /** When it was told of. */
  time: string | null;
}

/** The messages of a thread, as far as their requests are concerned. */
export type Asked = Pick<OutlineMessage, 'usage' | 'request_id' | 'model' | 'timestamp'>;

/** What a count tells: the last request, and all of them. */
export interface Count {
  last: JsonObject;
  total: string;
  time: string | null;
}

export function countIn({ payload, time }: Pick<Row, 'payload' | 'time'>): Count | undefined {
  const info = objectAt(payload, 'info');
  const last = objectAt(info, 'last_token_usage');
  const total = objectAt(info, 'total_token_usage');
  return last === undefined || total === undefined
    ? undefined
    : { last, total: sameTotal(JSON.stringify(total)), time };
}

/** Totals are compared as they are written. From 0.145 on they have one number more, which is a part of the input: it never moves alone. */
export function sameTotal(json: string): string {
  return json.replace(/"cache_write_input_tokens":\d+,/, '');
}

export class Tokens {
  /** Requests of which no message is left: the client lost what was answered. */
  readonly lost: LostRequest[] = [];
  private readonly messages: readonly Asked[];
  /** The last reply whose request is not known yet. */
  private waiting: number | null = null;
  /** A request whose reply comes later, or never. */
  private early: (Request & { before: number | null }) | null = null;
  private lastTotal = '';
  /** Tokens of the last request as the client counted them. */
  private lastCount: number | null = null;
  private lastEstimate: number | null = null;
  /** How many tokens the context had when each of the last replies was asked for. */
  private beforeReply: number | null = null;
  /** Responses that were counted. */
  private readonly recorded = new Set<string>();
  /** The client of this turn writes records, each before its totals: these tell nothing new. Another may go on with the thread. */
  private recordsTurn = false;
  /** The totals go on from those of a file, or a place, that we do not know. */
  private unknownTotals = false;

  constructor(messages: readonly Asked[]) {
    this.messages = messages;
  }

  reply(index: number): void {
    this.beforeReply = this.lastCount;
    if (this.early !== null) {
      this.give(index, this.early);
      this.early = null;
      return;
    }
    this.waiting = index;
  }

  /** The last message is taken back: it was a copy. Its tokens are given to whoever asks. */
  takeBack(message: Asked): { request: Request | null; before: number | null } {
    this.waiting = null;
    const { usage, request_id: response_id, model, timestamp: time } = message;
    return { request: usage === null ? null : { usage, response_id, model, time }, before: this.beforeReply };
  }

  record({ payload, time }: Pick<Row, 'payload' | 'time'>, model: string | null, inherited: boolean): void {
    const usage = objectAt(payload, 'usage');
    const response_id = stringAt(payload, 'response_id') ?? null;
    if (usage !== undefined) this.recordsTurn = true;
    if (usage === undefined || (response_id !== null && this.recorded.has(response_id))) return;
    this.recorded.add(response_id ?? '');
    this.request({ usage: usageOf(usage), response_id, model, time }, inherited);
  }

  /** `total` is the running totals as JSON, by which they are compared. */
  count({ last, total, time }: Count, model: string | null, inherited: boolean): void {
    const count = integerAt(last, 'total_tokens');
    if (total === this.lastTotal) {
      this.lastEstimate = count === this.lastCount ? null : count;
      this.lastCount = count;
      return;
    }
    this.lastTotal = total;
    this.lastEstimate = null;
    const isNew = !this.recordsTurn && (!this.unknownTotals || this.waiting !== null);
    if (isNew) this.request({ usage: usageOf(last), response_id: null, model, time }, inherited);
    this.unknownTotals = false;
    this.lastCount = count;
  }

  /** A request that no message answers: the one that made a summary. */
  takeEarly(): { request: Request | null; before: number | null } {
    const { early } = this;
    this.early = null;
    return { request: early, before: early === null ? this.lastCount : early.before };
  }

  /** The client's estimate, where the last count was one: totals stood still, the count did not. */
  get estimate(): number | null {
    return this.lastEstimate;
  }

  /** The file goes on from another one, or from an earlier place: its totals may be those of before. */
  goesOn(): void {
    this.unknownTotals = true;
  }

  /** What comes later belongs to another turn. */
  endTurn(): void {
    this.lose();
    this.waiting = null;
    this.recordsTurn = false;
  }

  private request(request: Request, inherited: boolean): void {
    if (this.waiting !== null) {
      this.give(this.waiting, request);
      this.waiting = null;
    } else if (!inherited) {
      this.lose();
      this.early = { ...request, before: this.lastCount };
    }
  }

  /** Nobody answered the request that waits for its reply. */
  private lose(): void {
    if (this.early === null) return;
    const { usage, response_id: request_id, model, time: timestamp } = this.early;
    this.lost.push({ request_id, timestamp, model, usage });
    this.early = null;
  }

  private give(index: number, { usage, response_id }: Request): void {
    const message = this.messages[index];
    if (message === undefined) return;
    message.usage = usage;
    message.request_id = response_id;
  }
}
