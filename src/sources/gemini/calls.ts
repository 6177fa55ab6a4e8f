// The calls of a session and their results: a call holds its own, and from 0.44 on results also have rows of their own, as
// they were sent back.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage } from '../../schema/outline.ts';
import { newMessage } from '../new-message.ts';
import type { Ask, Asks } from './asks.ts';
import type { ContextTrack } from './context.ts';
import { FINAL } from './outcomes.ts';
import type { Call, Told } from './rows.ts';
import { holdsResults, placeOf } from './told.ts';

/** A call, where it was asked for and where it was answered. */
export interface AskedCall {
  call: Call;
  row: SourceRef;
  message: number;
  result: number | null;
  ask: Ask | null;
}

export class Calls {
  readonly byId = new Map<string, AskedCall>();
  /** Results that rows of their own brought, by call. */
  readonly sentAt = new Map<string, number>();
  private readonly messages: readonly OutlineMessage[];
  private readonly asks: Asks;
  private readonly context: ContextTrack;
  private readonly append: (message: OutlineMessage) => number;

  constructor(
    messages: readonly OutlineMessage[],
    asks: Asks,
    context: ContextTrack,
    append: (message: OutlineMessage) => number,
  ) {
    this.messages = messages;
    this.asks = asks;
    this.context = context;
    this.append = append;
  }

  /** The calls of a row, and the message that their results make; null where they bring nothing new. */
  take(told: Told, message: number): number | null {
    const ask = this.asks.current;
    for (const call of told.calls) {
      const known = this.byId.get(call.id);
      const result = this.sentAt.get(call.id) ?? null;
      if (known === undefined) this.byId.set(call.id, { call, row: placeOf(told), message, result, ask });
      else if (endsMore(call, known.call)) Object.assign(known, { call, row: placeOf(told) });
    }
    const answered = told.calls.filter((call) => call.has_result && this.byId.get(call.id)?.result === null);
    if (answered.length === 0) return null;
    const at = (call: Call): string => `${told.pointer}${call.pointer}/result`;
    const blocks = answered.map((call) => ({
      type: 'tool_result' as const,
      row: told.ref,
      pointer: at(call),
      tool_use_id: call.id,
      name: call.name,
    }));
    const source = answered.map((call) => ({ ...told.ref, pointer: at(call) }));
    const index = this.resultsAfter(message) ?? this.newResults(told, message, answered.at(-1)?.time ?? told.time);
    this.messages[index]?.blocks.push(...blocks);
    this.messages[index]?.source.push(...source);
    this.context.know(
      index,
      answered.map((call) => `r:${call.id}`),
    );
    for (const call of answered) {
      const known = this.byId.get(call.id);
      if (known !== undefined) known.result = index;
    }
    this.asks.other(index);
    return index;
  }

  /** The results of a reply are sent together: where one is there already, and nothing was said since, others join it. */
  private resultsAfter(message: number): number | undefined {
    const last = this.messages.length - 1;
    const [block] = this.messages[last]?.kind === 'tool_result' ? (this.messages[last]?.blocks ?? []) : [];
    return this.byId.get(block?.tool_use_id ?? '')?.message === message ? last : undefined;
  }

  private newResults(told: Told, message: number, timestamp: string | null): number {
    const id = `${this.messages[message]?.id ?? told.id}/result`;
    const result = newMessage({
      id,
      role: 'user',
      kind: 'tool_result',
      timestamp,
      blocks: [],
      source: [],
      extra: {},
    });
    return this.append(result);
  }

  send(told: Told, index: number): void {
    for (const id of told.answers) {
      this.sentAt.set(id, index);
      const call = this.byId.get(id);
      if (call !== undefined) call.result ??= index;
    }
  }

  /** Results that a context holds in other words. */
  resultsOf(told: Told): number[] | undefined {
    if (told.type !== 'user' || !holdsResults(told)) return undefined;
    const results = told.answers.map((id) => this.byId.get(id)?.result ?? null).filter((index) => index !== null);
    return results.length === 0 ? undefined : [...new Set(results)];
  }
}

/** A later row may tell how a call ended. */
function endsMore(later: Call, known: Call): boolean {
  const isOpen = ({ status }: Call) => !FINAL.has(status);
  return (later.has_result && !known.has_result) || (isOpen(known) && !isOpen(later));
}
