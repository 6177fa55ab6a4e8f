// Which message a request's tokens belong to. From 0.153 on a record follows the items of each response; before, only
// running totals tell: a request was answered when they moved. Totals are repeated, and estimated after a compaction.

import type { Usage } from '../../schema/message.ts';
import type { OutlineMessage } from '../../schema/outline.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { usageOf } from './usage.ts';

interface Request {
  usage: Usage;
  response_id: string | null;
  model: string | null;
}

export class Tokens {
  /** Requests of which no message is left: the client lost what was answered. */
  readonly lost: Request[] = [];
  private readonly messages: readonly OutlineMessage[];
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
  /** Responses that were counted. From the first record on, totals tell nothing new. */
  private readonly recorded = new Set<string>();
  /** The totals go on from those of a file, or a place, that we do not know. */
  private unknownTotals = false;

  constructor(messages: readonly OutlineMessage[]) {
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
  takeBack(message: OutlineMessage): { request: Request | null; before: number | null } {
    this.waiting = null;
    const { usage, request_id, model } = message;
    return { request: usage === null ? null : { usage, response_id: request_id, model }, before: this.beforeReply };
  }

  record(payload: JsonObject, model: string | null, inherited: boolean): void {
    const usage = objectAt(payload, 'usage');
    const response_id = stringAt(payload, 'response_id') ?? null;
    if (usage === undefined || (response_id !== null && this.recorded.has(response_id))) return;
    this.recorded.add(response_id ?? '');
    this.request({ usage: usageOf(usage), response_id, model }, inherited);
  }

  count(payload: JsonObject, model: string | null, inherited: boolean): void {
    const info = objectAt(payload, 'info');
    const last = objectAt(info, 'last_token_usage');
    const total = info?.total_token_usage;
    if (last === undefined || !isObject(total)) return;
    const count = typeof last.total_tokens === 'number' ? last.total_tokens : null;
    const told = JSON.stringify(total);
    if (told === this.lastTotal) {
      this.lastEstimate = count === this.lastCount ? null : count;
      this.lastCount = count;
      return;
    }
    this.lastTotal = told;
    this.lastEstimate = null;
    const isNew = this.recorded.size === 0 && (!this.unknownTotals || this.waiting !== null);
    if (isNew) this.request({ usage: usageOf(last), response_id: null, model }, inherited);
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
    if (this.early !== null) this.lost.push(this.early);
    this.early = null;
    this.waiting = null;
  }

  private request(request: Request, inherited: boolean): void {
    if (this.waiting !== null) {
      this.give(this.waiting, request);
      this.waiting = null;
    } else if (!inherited) {
      if (this.early !== null) this.lost.push(this.early);
      this.early = { ...request, before: this.lastCount };
    }
  }

  private give(index: number, { usage, response_id }: Request): void {
    const message = this.messages[index];
    if (message === undefined) return;
    message.usage = usage;
    message.request_id = response_id;
  }
}
