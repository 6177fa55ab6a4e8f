// Replies: rows of one `message.id` are one message, one block each, also when other rows stand
// between them; what they tell of usage and end is final only in the last.

import type { Json } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { addLastExtra } from './extras.ts';
import type { RequestLog } from './requests.ts';
import { usageOf } from './usage.ts';

export class Replies {
  /** `message.id` of the API → the message its rows are. */
  readonly byApiId = new Map<string, number>();
  private readonly messages: readonly OutlineMessage[];
  private readonly requests: RequestLog;
  /** Places of blocks (`apiBlockIndex`, 2.1.325) that a message has rows for. */
  private readonly places = new Map<number, Set<Json>>();
  /** The tokens that the last row with any told, and of which reply: the next row of it may tell more. What was told of all others need not be held. */
  private usage: JsonObject | null = null;
  private usageAt = -1;

  constructor(messages: readonly OutlineMessage[], requests: RequestLog) {
    this.messages = messages;
    this.requests = requests;
  }

  /** The message that a row goes on; undefined where the row begins one. */
  known(row: JsonObject, api: JsonObject): number | undefined {
    const id = stringAt(api, 'id') || undefined;
    const known = id === undefined ? undefined : this.byApiId.get(id);
    return known === undefined || this.isNumberedAnew(known, row) ? undefined : known;
  }

  /** Servers of other makers number their messages anew in each process: then another request answers another prompt. Our copies join replies. */
  private isNumberedAnew(index: number, row: JsonObject): boolean {
    const before = this.messages[index]?.request_id ?? null;
    const request = stringAt(row, 'requestId');
    if (before === null || request === undefined || request === before) return false;
    return this.messages.slice(index + 1).some(({ kind }) => kind === 'prompt');
  }

  /** The first row of a reply. */
  begin(index: number, row: JsonObject, api: JsonObject): void {
    const id = stringAt(api, 'id') || undefined;
    if (id !== undefined) this.byApiId.set(id, index);
    this.notePlace(index, row);
    this.extend(index, row, api);
  }

  /** A further row; gives its blocks without those recorded already: histories are re-recorded on some resumes. */
  goOn(index: number, row: JsonObject, api: JsonObject, blocks: OutlineBlock[]): OutlineBlock[] {
    this.extend(index, row, api);
    if (row.apiBlockIndex !== undefined && this.places.get(index)?.has(row.apiBlockIndex)) return [];
    this.notePlace(index, row);
    const there = this.messages[index]?.blocks ?? [];
    for (let i = 0; i < blocks.length; i++)
      if (isAmong(blocks[i], there)) return blocks.filter((block) => !isAmong(block, there));
    return blocks;
  }

  /** What is known only when all rows are read. */
  finish(): void {
    this.settleUsage();
    for (let i = 0; i < this.messages.length; i++) {
      const message = this.messages[i] as OutlineMessage; // a place of the list
      message.ends_turn = endsTurn(message);
    }
  }

  private settleUsage(): void {
    const message = this.messages[this.usageAt];
    if (message !== undefined && this.usage !== null) message.usage = usageOf(this.usage);
  }

  private notePlace(index: number, row: JsonObject): void {
    if (row.apiBlockIndex === undefined) return;
    const places = this.places.get(index) ?? new Set();
    this.places.set(index, places.add(row.apiBlockIndex));
  }

  private extend(index: number, row: JsonObject, api: JsonObject): void {
    const reply = this.messages[index];
    if (reply === undefined) return;
    addLastExtra(reply.extra, row, api);
    // `<synthetic>` replies are the client's own words: no tokens.
    if (isObject(api.usage) && api.model !== '<synthetic>') {
      if (this.usageAt !== index) this.settleUsage();
      this.usage = api.usage;
      this.usageAt = index;
    }
    reply.stop_reason = stringAt(api, 'stop_reason') ?? reply.stop_reason;
    reply.request_id = stringAt(row, 'requestId') ?? reply.request_id;
    if (row.requestRef === undefined) return;
    const request = stringAt(objectAt(row, 'requestRef'), 'id') ?? stringAt(row, 'requestRef');
    if (request !== undefined) this.requests.answered(request, index);
  }
}

/** A call that is told once more. */
function isAmong(block: OutlineBlock | undefined, there: readonly OutlineBlock[]): boolean {
  if (block?.tool_use_id == null) return false;
  for (let i = 0; i < there.length; i++) if (there[i]?.tool_use_id === block.tool_use_id) return true;
  return false;
}

/** Stop reasons after which the agent is not done. */
const GOES_ON = new Set(['tool_use', 'pause_turn', 'refusal']);

/**
 * Versions up to about 2.1.59 write rows before the reply has ended and leave `stop_reason` null:
 * there, words without a call are the end.
 */
function endsTurn(message: OutlineMessage): boolean {
  if (message.kind !== 'reply' || message.extra.aborted_mid_stream === true) return false;
  if (message.stop_reason !== null) return !GOES_ON.has(message.stop_reason);
  const calls = message.blocks.some((block) => block.type === 'tool_use');
  return !calls && message.blocks.some((block) => block.type === 'text');
}
