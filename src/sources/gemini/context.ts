// What the model saw: `$set.messages` says what its context is from there on. The history stays.

import type { SourceRef } from '../../schema/blocks.ts';
import { contextAt, indicesIn, rangesOf } from '../../schema/context.ts';
import type { OpenedWindow, OutlineMessage, Signal } from '../../schema/outline.ts';
import type { RecordEntry, SessionHead } from '../../schema/session.ts';
import { type Ask, isAnswered, NO_PROMPT } from './asks.ts';
import type { TypedRow } from './logs.ts';
import type { Entry } from './rows.ts';

interface Pending {
  window: Omit<OpenedWindow, 'opened_at_index'>;
  start: number[];
  /** The record of its line: a copy, if it is replaced before anything is sent. */
  record: RecordEntry | null;
}

type Accounting = SessionHead['accounting'];

export class ContextTrack {
  readonly rewinds: Signal[] = [];
  private readonly messages: readonly OutlineMessage[];
  private readonly windows: OpenedWindow[] = [];
  private readonly byKey = new Map<string, number[]>();
  private pending: Pending | null = null;
  private mark: { by: 'resume' } | { by: 'rewind'; anchor: string; ref: SourceRef; before: number[] } | null = null;
  /** The window of a context that was recorded, until something is said in it. */
  private latest: Pending['window'] | null = null;
  /** The places of the old context's messages, while the items of a new one are looked for in it, and where they have got to. */
  private before = new Map<number, number>();
  private cursor = 0;
  private isFromEnd = false;
  /** Parts that were found already: each is there once. */
  private taken = new Set<string>();
  private accounting: Accounting | null = null;

  constructor(messages: readonly OutlineMessage[]) {
    this.messages = messages;
  }

  begin(): void {
    if (this.windows.length > 0 || this.messages.length === 0) return;
    const first = { opened_at_index: 0, opened_by: 'start' as const, anchor: null, start: [], evidence: [] };
    this.windows.push({ ...first, basis: 'recorded', confidence: 'high' });
  }

  /** The parts by which a message is known when it is recorded again. */
  know(index: number, keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.byKey.get(key);
      if (known === undefined) this.byKey.set(key, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  }

  /** A message that goes to the model, or came from it: a context that was announced begins with it. */
  said(index: number): void {
    this.begin();
    this.latest = null;
    if (this.pending === null) return;
    this.windows.push({ ...this.pending.window, opened_at_index: index });
    this.pending = null;
  }

  /** The process was started again, or its history loaded anew. */
  restart(): void {
    if (this.messages.length > 0) this.mark = { by: 'resume' };
  }

  /** A copy of a row that was told: nothing is done again. */
  repeat({ what }: Entry): void {
    if (what === 'header' || what === 'restart') this.restart();
    if (what === 'context' || what === 'rewind') this.mark = null;
  }

  /** `$set.sessionId` stands in front of a context that was loaded, or made, anew; not in front of a rollback. */
  get isLoadedAnew(): boolean {
    return this.mark?.by === 'resume';
  }

  /** Somebody goes back: the context that follows is what is left. */
  get isRewinding(): boolean {
    return this.mark?.by === 'rewind';
  }

  /** A result that was sent after a compaction which fell between it and its call. */
  sentLate(index: number): void {
    const last = this.windows.at(-1);
    if (last === undefined || last.opened_at_index <= index || indicesIn(last.start).includes(index)) return;
    last.start.push([index, index]);
  }

  rewind(entry: Extract<Entry, { what: 'rewind' }>, index: number | undefined): void {
    const before = this.now();
    // After a compaction what was kept stands behind the summary: the order of the context counts.
    const place = before.indexOf(index ?? -1);
    const kept = place === -1 ? before.filter((other) => other < (index ?? 0)) : before.slice(0, place);
    const stays = new Set(kept);
    const at = this.messages.length;
    const told = { anchor: entry.to, basis: 'recorded', confidence: 'high' } as const;
    this.rewinds.push({
      ...told,
      evidence: [entry.ref],
      name: 'rewound',
      message_index: null,
      after_message_index: at === 0 ? null : at - 1,
      timestamp: this.messages[at - 1]?.timestamp ?? null,
      could_be: null,
      between_turns: true,
      to_message_index: kept.at(-1) ?? null,
      removed: before.filter((other) => !stays.has(other)).sort((a, b) => a - b),
    });
    this.supersede('rewind', at);
    this.pending = {
      window: { ...told, opened_by: 'rewind', start: rangesOf(kept), evidence: [entry.ref] },
      start: kept,
      record: null,
    };
    this.mark = { by: 'rewind', anchor: entry.to, ref: entry.ref, before };
  }

  /**
   * The row of a rewind has no time; the context that is written with it has, and says what stayed: a result that was to go with
   * all after it stays with its call (0.61).
   */
  rewoundTo(start: number[], { time, ref }: Extract<Entry, { what: 'context' }>): void {
    const last = this.rewinds.at(-1);
    if (this.mark?.by !== 'rewind' || last?.name !== 'rewound') return;
    last.timestamp = time ?? last.timestamp;
    last.evidence.push(ref);
    last.to_message_index = start.findLast((index) => index <= (last.after_message_index ?? -1)) ?? null;
    const stays = new Set(start);
    last.removed = this.mark.before.filter((index) => !stays.has(index)).sort((a, b) => a - b);
  }

  beginMatching(): void {
    this.before = new Map(this.now().map((index, place) => [index, place]));
    this.cursor = 0;
    this.isFromEnd = false;
    this.taken = new Set();
  }

  /** What follows is the tail that a compaction kept: its items come last first. */
  matchFromEnd(): void {
    this.cursor = this.before.size;
    this.isFromEnd = true;
  }

  /** The known messages that the parts of an item are, in order; undefined where one of them is new. */
  match(keys: readonly string[]): number[] | undefined {
    // The same words may stand in several messages: the parts of an item are most likely those of one.
    const whole = this.nearest(this.holdersOf(keys));
    if (whole !== undefined) {
      for (const key of keys) this.take(whole, key);
      return [whole];
    }
    const found: number[] = [];
    for (const key of this.isFromEnd ? keys.toReversed() : keys) {
      const known = this.byKey.get(key) ?? [];
      const free = known.filter((index) => !this.taken.has(`${index} ${key}`));
      const index = this.nearest(free) ?? free.at(-1) ?? known.at(-1);
      if (index === undefined) return undefined;
      this.take(index, key);
      if (!found.includes(index)) found.push(index);
    }
    return this.isFromEnd ? found.reverse() : found;
  }

  /** Messages with all of these parts, none of which was found yet. */
  private holdersOf(keys: readonly string[]): number[] {
    const [first = '', ...others] = keys;
    // The same words twice are two prompts that were put together.
    if (new Set(keys).size < keys.length) return [];
    const isFree = (index: number) => keys.every((key) => !this.taken.has(`${index} ${key}`));
    return (this.byKey.get(first) ?? []).filter(
      (index) => others.every((key) => this.byKey.get(key)?.includes(index)) && isFree(index),
    );
  }

  /** Of messages of the old context the next one on the way through it. */
  private nearest(candidates: number[]): number | undefined {
    const placeOf = (index: number) => this.before.get(index) ?? -1;
    const inside = candidates.filter((index) => this.before.has(index)).sort((a, b) => placeOf(a) - placeOf(b));
    const next = this.isFromEnd
      ? inside.findLast((index) => placeOf(index) <= this.cursor)
      : inside.find((index) => placeOf(index) >= this.cursor);
    return next ?? inside.at(-1);
  }

  private take(index: number, key: string): void {
    this.cursor = this.before.get(index) ?? this.cursor;
    this.taken.add(`${index} ${key}`);
  }

  replace(
    start: number[],
    at: number,
    ref: SourceRef,
    record: RecordEntry | null,
    why: { by: 'compaction'; anchor: string | null } | undefined,
    accounting: Accounting,
  ): void {
    this.accounting = accounting;
    const by: OpenedWindow['opened_by'] = why?.by ?? this.mark?.by ?? 'rollback';
    const anchor = why?.anchor ?? (this.mark?.by === 'rewind' ? this.mark.anchor : null);
    const evidence = this.mark?.by === 'rewind' && why === undefined ? [this.mark.ref, ref] : [ref];
    this.mark = null;
    if (by === 'rollback' && String(start) === String([...this.before.keys()])) return;
    this.supersede(by, at);
    const window = {
      opened_by: by,
      anchor,
      start: rangesOf(start),
      basis: 'recorded' as const,
      confidence: 'high' as const,
      evidence,
    };
    if (this.messages.length === at) this.pending = { window, start, record };
    else this.windows.push({ ...window, opened_at_index: at });
    this.latest = this.pending?.window ?? this.windows.at(-1) ?? null;
  }

  /** A note tells of a compaction: the context that was recorded right before it is what is left. Gives whether there is one. */
  wasCompacted(anchor: string, ref: SourceRef): boolean {
    const { latest } = this;
    if (latest === null || latest.opened_by === 'compaction' || latest.opened_by === 'rewind') return false;
    latest.opened_by = 'compaction';
    latest.anchor = anchor;
    latest.evidence.push(ref);
    return true;
  }

  now(): number[] {
    this.begin();
    return this.pending?.start ?? contextAt(this.windows, this.messages, this.messages.length - 1);
  }

  /** A compaction of which only a note tells: what stayed is not known. */
  forget(at: number, anchor: string, ref: SourceRef): void {
    this.begin();
    this.windows.push({
      opened_at_index: at,
      opened_by: 'compaction',
      anchor,
      start: [],
      basis: 'inferred',
      confidence: 'low',
      evidence: [ref],
    });
    this.windows.sort((a, b) => a.opened_at_index - b.opened_at_index);
  }

  /** Up to 0.34 /clear left the session as it was: only the list of what was typed tells. */
  clears(typed: TypedRow[], asks: Ask[], id: string): Signal[] {
    return typed.flatMap((row, i): Signal[] => {
      if (!row.clears) return [];
      const next = typed.slice(i + 1).find((later) => !later.command);
      const ask =
        next === undefined
          ? undefined
          : asks.find(
              ({ prompt, text }) => text === next.text && (this.messages[prompt]?.timestamp ?? '') >= (row.time ?? ''),
            );
      // From 0.39 on there are logs: there a clear begins another session, and this one was resumed.
      const isOld = this.messages[ask?.prompt ?? -1]?.source[0]?.pointer?.startsWith('/messages') === true;
      if (ask === undefined || !isOld) return [];
      const anchor = `${row.time ?? row.ref.pointer}`;
      this.windows.push({
        opened_at_index: ask.prompt,
        opened_by: 'clear',
        anchor,
        start: [],
        basis: 'recorded',
        confidence: 'high',
        evidence: [row.ref],
      });
      this.windows.sort((a, b) => a.opened_at_index - b.opened_at_index);
      return [
        {
          name: 'context-cleared',
          message_index: null,
          after_message_index: ask.prompt === 0 ? null : ask.prompt - 1,
          anchor,
          timestamp: row.time,
          basis: 'recorded',
          confidence: 'high',
          could_be: null,
          evidence: [row.ref],
          next_session_id: id,
        },
      ];
    });
  }

  /** A rollback is what an event did: the last one of the request before it. Without one, somebody loaded another context. */
  finish(stops: Signal[], asks: Ask[], typed: TypedRow[]): OpenedWindow[] {
    const last = this.pending;
    if (last !== null && last.window.opened_by !== 'resume')
      this.windows.push({ ...last.window, opened_at_index: this.messages.length });
    else this.giveUp();
    for (const window of this.windows) {
      if (window.opened_by !== 'rollback') continue;
      const ask = asks.findLast(({ prompt }) => prompt < window.opened_at_index);
      const place = (signal: Signal) => signal.message_index ?? signal.after_message_index ?? -1;
      const causes = stops
        .filter((signal) => place(signal) < window.opened_at_index && place(signal) >= (ask?.prompt ?? 0))
        .sort((a, b) => place(a) - place(b));
      // What was stopped after its row did not cause it; the row of an error stands behind it (0.55 on).
      const isTold = (signal: Signal) => isBefore(this.messages[place(signal)]?.source[0], window.evidence[0]);
      const cause = causes.findLast(isTold) ?? causes.at(-1);
      if (cause === undefined) {
        if (ask !== undefined && ask.prompt !== NO_PROMPT) this.loaded(window, ask, asks[asks.indexOf(ask) + 1], typed);
        continue;
      }
      window.anchor = cause.anchor;
      const known = new Set(cause.evidence.map(({ file, offset }) => `${file}:${offset}`));
      cause.evidence.push(...window.evidence.filter(({ file, offset }) => !known.has(`${file}:${offset}`)));
    }
    return this.windows;
  }

  /** `/chat resume` (0.61): the list of what was typed tells, or that a request which was answered is gone. */
  private loaded(window: OpenedWindow, ask: Ask, next: Ask | undefined, typed: TypedRow[]): void {
    const command = typed.findLast(
      ({ loads, time }) =>
        loads && (time ?? '') > (ask.time ?? '') && (next === undefined || (time ?? '') < (next.time ?? '')),
    );
    const isGone = !indicesIn(window.start).includes(ask.prompt);
    if (command === undefined && !(isGone && isAnswered(ask, next, this.messages))) return;
    window.opened_by = 'resume';
    if (command !== undefined) window.evidence.push(command.ref);
  }

  /** Replaced before anything was sent. What a rollback or a rewind took out stays out: it left by that, not by what follows. */
  private supersede(by: OpenedWindow['opened_by'], at: number): void {
    const { pending } = this;
    const took = pending !== null && pending.window.opened_by !== 'resume' && pending.window.opened_by !== by;
    if (!took) this.giveUp();
    if (took) this.windows.push({ ...pending.window, opened_at_index: at });
    this.pending = null;
  }

  /** It was no context. */
  private giveUp(): void {
    const record = this.pending?.record;
    this.pending = null;
    if (record === null || record === undefined || this.accounting === null) return;
    record.copy = true;
    this.accounting.record--;
    this.accounting.copy++;
  }
}

function isBefore(one: SourceRef | undefined, other: SourceRef | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.file < other.file || (one.file === other.file && one.offset < other.offset);
}
