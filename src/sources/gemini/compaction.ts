// Compactions. From 0.44 on the summary stands in the new context; before, only notes tell, and some of them prove nothing.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage, Signal } from '../../schema/outline.ts';
import { type Compacted, newCompaction } from '../new-compaction.ts';
import type { Ask } from './asks.ts';
import type { ContextTrack } from './context.ts';
import type { TypedRow } from './logs.ts';
import type { Entry, Told } from './rows.ts';
import { compressionIn } from './signals.ts';

export class Compactions {
  private readonly signals: Compacted[] = [];
  /** Notes without words: written after /compress, whether it did anything or not. */
  private readonly emptyNotes: { index: number; ref: SourceRef; time: string | null }[] = [];
  private readonly messages: readonly OutlineMessage[];
  private readonly context: ContextTrack;

  constructor(messages: readonly OutlineMessage[], context: ContextTrack) {
    this.messages = messages;
    this.context = context;
  }

  snapshot(
    summary: number,
    at: number,
    start: number[],
    entry: Extract<Entry, { what: 'context' }>,
    trigger: 'manual' | 'auto' | null,
  ): void {
    const message = this.messages[summary];
    this.signals.push({
      ...base(message?.id ?? '', at, entry.time, { ...entry.ref, pointer: message?.source[0]?.pointer ?? null }),
      message_index: at,
      uuid: message?.id ?? null,
      trigger,
      pre_tokens: this.tokensBefore(at),
      summary_index: summary,
      summary_source: 'inline',
      kept: start.filter((index) => index < at).sort((a, b) => a - b),
    });
  }

  /** `afterLoading`: `$set.sessionId` stands right before it, which from 0.39 to 0.43 only a compaction that did something has. */
  note(index: number, told: Told, afterLoading: boolean): void {
    if (told.type !== 'info') return;
    const last = this.signals.at(-1);
    const follows =
      last !== undefined &&
      last.summary_index !== null &&
      index - last.summary_index < 50 &&
      last.evidence.length === 1;
    const counts = compressionIn(told.text);
    if (counts === undefined && told.text !== '') return;
    if (follows) last.evidence.push(told.ref);
    else if (counts === undefined && afterLoading) this.manual(index, told);
    else if (counts === undefined) this.emptyNotes.push({ index, ref: told.ref, time: told.time });
    else this.phrase(index, told, counts);
  }

  private manual(index: number, told: Told): void {
    this.signals.push({
      ...base(told.id, index, told.time, told.ref),
      message_index: index,
      basis: 'inferred',
      confidence: 'medium',
      trigger: 'manual',
      pre_tokens: this.tokensBefore(index),
    });
    this.context.forget(index + 1, told.id, told.ref);
  }

  /** Notes in words: up to 0.43 they are all there is; later on the new context is told, even where its summary is not known as one. */
  private phrase(index: number, told: Told, counts: { pre: number | null; post: number | null }): void {
    this.signals.push({
      ...base(told.id, index, told.time, told.ref),
      message_index: index,
      basis: 'phrase',
      trigger: 'auto',
      pre_tokens: counts.pre ?? this.tokensBefore(index),
      post_tokens: counts.post,
    });
    if (!this.context.wasCompacted(told.id, told.ref)) this.context.forget(index + 1, told.id, told.ref);
  }

  /** An empty note after /compress did something if the next request was much smaller, or a new file was begun (up to 0.24). */
  found(typed: TypedRow[], asks: Ask[]): Signal[] {
    for (const row of typed.filter(({ compresses }) => compresses)) {
      const done = this.signals.find(
        ({ summary_index, timestamp }) => summary_index !== null && isSoonAfter(timestamp, row.time),
      );
      if (done !== undefined) done.evidence.push(row.ref);
      if (done !== undefined) continue;
      const note = this.emptyNotes.find(({ time }) => isSoonAfter(time, row.time));
      const at = note?.index ?? this.lastBefore(row.time);
      const next = asks.find(({ prompt }) => prompt > at);
      const cleared = typed.some(
        (other) => other.clears && (other.time ?? '') >= (row.time ?? '') && (other.time ?? '') <= (next?.time ?? ''),
      );
      if (at === -1 || next === undefined || cleared || this.hasSnapshot(at) || !this.isSmaller(at, next)) continue;
      const anchor = this.messages[note?.index ?? -1]?.id ?? `${row.time ?? row.ref.pointer}`;
      this.signals.push({
        ...base(anchor, at, row.time, row.ref),
        evidence: note === undefined ? [row.ref] : [note.ref, row.ref],
        message_index: note?.index ?? null,
        after_message_index: note === undefined ? at : at === 0 ? null : at - 1,
        basis: 'inferred',
        confidence: 'medium',
        could_be: 'none',
        trigger: 'manual',
        pre_tokens: this.tokensBefore(at + 1),
      });
      this.context.forget(next.prompt, anchor, row.ref);
    }
    return this.signals;
  }

  /** A client that has written a summary down writes every one: what is compacted leaves more than a note. */
  private hasSnapshot(at: number): boolean {
    return this.signals.some(({ summary_index }) => summary_index !== null && summary_index <= at);
  }

  private isSmaller(at: number, next: Ask): boolean {
    const before = this.tokensBefore(at + 1);
    const after = next.replies.map((reply) => tokensOf(this.messages[reply])).find((tokens) => tokens !== null) ?? null;
    if (before !== null && after !== null) return after < before * 0.6;
    return this.messages[at]?.source[0]?.file !== this.messages[next.prompt]?.source[0]?.file;
  }

  private lastBefore(time: string | null): number {
    return this.messages.findLastIndex(
      (message) => time !== null && message.timestamp !== null && message.timestamp <= time,
    );
  }

  /** What the last request before a message had. */
  private tokensBefore(at: number): number | null {
    for (let index = at - 1; index >= 0; index--) {
      const tokens = tokensOf(this.messages[index]);
      if (tokens !== null) return tokens;
    }
    return null;
  }
}

/** The client asks the model for a summary: that takes a while. */
function isSoonAfter(time: string | null, typed: string | null): boolean {
  if (time === null || typed === null) return false;
  const gap = Date.parse(time) - Date.parse(typed);
  return gap >= 0 && gap < 120_000;
}

function tokensOf(message: OutlineMessage | undefined): number | null {
  return message?.usage == null ? null : message.usage.input_tokens + message.usage.cache_read_tokens;
}

function base(anchor: string, at: number, timestamp: string | null, ref: SourceRef): Compacted {
  const after_message_index = at === 0 ? null : at - 1;
  return newCompaction({ message_index: null, after_message_index, anchor, timestamp, evidence: [ref] });
}
