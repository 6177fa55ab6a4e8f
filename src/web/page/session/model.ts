// A session as the page works with it: what stands where, and what the model saw when.

import { contextAt } from '../../../schema/context.ts';
import type { SessionAnswer, SessionEvent } from '../../api.ts';

/** A message's index, or an event: -1 for the first, -2 for the second, … */
export type Item = number;

export const isEvent = (item: Item): boolean => item < 0;
export const eventOf = (item: Item): number => -item - 1;

/** How a message stands to what the model saw. */
export type Standing = 'seen' | 'left' | 'later' | 'unsent';

export class SessionModel {
  readonly answer: SessionAnswer;
  readonly count: number;
  /** Messages with the events that came between them. */
  readonly items: Item[];
  readonly peak: number;
  private readonly itemOfMessage: number[] = [];
  private readonly itemOfEvent: number[] = [];
  private readonly marks: { sent: boolean; sent_before: number | null }[];
  /** By message, the events that took content out of it. */
  private readonly clearings: ReadonlyMap<number, readonly SessionEvent[]>;
  private lastContext: { at: number; order: number[]; set: Set<number> } | undefined;

  constructor(answer: SessionAnswer) {
    this.answer = answer;
    this.count = answer.messages;
    this.peak = answer.context.reduce((most, tokens) => Math.max(most, tokens), 1);
    const before = new Map(answer.sent_before);
    this.marks = Array.from(answer.sent, (sent, i) => ({ sent: sent === '1', sent_before: before.get(i) ?? null }));
    this.clearings = clearingsIn(answer);
    this.items = this.inOrder();
  }

  kind(index: number): string {
    return this.answer.kinds[index] ?? 'm';
  }

  event(item: Item): SessionEvent | undefined {
    return this.answer.events[eventOf(item)];
  }

  itemOf(message: number): number {
    return this.itemOfMessage[message] ?? 0;
  }

  placeOfEvent(event: number): number {
    return this.itemOfEvent[event] ?? 0;
  }

  /** The message that an item stands at: an event stands after one. */
  messageAt(item: Item): number {
    return isEvent(item) ? Math.max(0, this.event(item)?.after ?? 0) : item;
  }

  /** Indices in the order sent. */
  context(at: number): { order: number[]; set: Set<number> } {
    if (this.lastContext?.at !== at) {
      const order = contextAt(this.answer.windows, this.marks, at);
      this.lastContext = { at, order, set: new Set(order) };
    }
    return this.lastContext;
  }

  /** Events that had taken content out of a message, at a later one; the message itself stayed. */
  clearedBy(index: number, at: number): string[] {
    return (this.clearings.get(index) ?? []).flatMap(({ id, after }) => (after < at ? [id] : []));
  }

  /** Of what the model had at a message, that of which no content had left. */
  wholes(at: number): ReadonlySet<number> {
    if (this.clearings.size === 0) return this.context(at).set;
    return new Set(this.context(at).order.filter((index) => this.clearedBy(index, at).length === 0));
  }

  standing(index: number, at: number): Standing {
    if (index > at) return 'later';
    if (this.marks[index]?.sent !== true) return 'unsent';
    return this.context(at).set.has(index) ? 'seen' : 'left';
  }

  /** What took a message out of the context, as far as that was before `at`. */
  removedBy(index: number, at: number): SessionEvent | undefined {
    const left = this.answer.left_at[index] ?? -1;
    if (left < 0 || left > at + 1) return undefined;
    return this.answer.events[this.answer.left_by[index] ?? -1];
  }

  /** The number of the window that is open at a message. */
  windowAt(index: number): number {
    return Math.max(
      0,
      this.answer.windows.findLastIndex(({ opened_at_index }) => opened_at_index <= index),
    );
  }

  /** Which of the windows around it hold a message: what the strata beside it show. */
  strata(index: number): boolean[] {
    const { windows } = this.answer;
    if (windows.length < 2) return [];
    const here = this.windowAt(index);
    const first = Math.max(0, Math.min(here - 2, windows.length - STRATA));
    return windows.slice(first, first + STRATA).map((_, i) => this.isIn(index, first + i));
  }

  private isIn(index: number, window: number): boolean {
    const { windows } = this.answer;
    const from = windows[window]?.opened_at_index ?? 0;
    const until = windows[window + 1]?.opened_at_index ?? this.count;
    if (index >= from && index < until) return this.marks[index]?.sent === true;
    return windows[window]?.start.some(([first, last]) => index >= first && index <= last) === true;
  }

  private inOrder(): Item[] {
    const items: Item[] = [];
    const { events } = this.answer;
    let next = 0;
    const eventsBefore = (index: number) => {
      for (; next < events.length && (events[next]?.after ?? -1) < index; next++) {
        this.itemOfEvent[next] = items.length;
        items.push(-next - 1);
      }
    };
    for (let index = 0; index < this.count; index++) {
      eventsBefore(index);
      this.itemOfMessage[index] = items.length;
      items.push(index);
    }
    eventsBefore(Number.POSITIVE_INFINITY);
    return items;
  }
}

function clearingsIn({ cleared, events }: SessionAnswer): Map<number, SessionEvent[]> {
  const clearings = new Map<number, SessionEvent[]>();
  for (const [index, number] of cleared) {
    const event = events[number];
    if (event !== undefined) clearings.set(index, [...(clearings.get(index) ?? []), event]);
  }
  return clearings;
}

/** More columns than this are not told apart. */
const STRATA = 5;
