// What the model saw: windows, and what opened them.

import type { SourceRef } from '../../schema/blocks.ts';
import { contextAt, rangesOf } from '../../schema/context.ts';
import type { OpenedWindow, Signal } from '../../schema/outline.ts';
import { countAt, objectAt } from '../json-access.ts';
import type { Messages } from './messages.ts';
import { anchorAt, type Row } from './rows.ts';

/** From then on clients may take out what they had written in front of the first turn that is taken back: see FORMAT.md. */
const TRIMS_FROM = '2026-03-23';

export class ContextTrack {
  readonly windows: OpenedWindow[] = [];
  readonly rewinds: Signal[] = [];
  private readonly messages: Messages;

  constructor(messages: Messages) {
    this.messages = messages;
  }

  /** Every session begins with an empty context. */
  begin(): void {
    if (this.windows.length > 0 || this.messages.list.length === 0) return;
    const first = { opened_at_index: 0, opened_by: 'start' as const, anchor: null, start: [], evidence: [] };
    this.windows.push({ ...first, basis: 'recorded', confidence: 'high' });
  }

  /** What is in the context now, also where it was replaced and nothing was said since. */
  now(): number[] {
    return this.at(this.messages.list.length);
  }

  replace(window: Omit<OpenedWindow, 'start'>, start: number[]): void {
    this.begin();
    this.windows.push({ ...window, start: rangesOf(start) });
  }

  /** `thread_rolled_back` (0.79 on, legacy): the last turns leave the context; the file goes on. */
  rolledBack(row: Row): void {
    const before = this.now();
    const turns = before.filter((index) => this.beginsTurn(index));
    const num_turns = countAt(row.payload, 'num_turns');
    const first = turns.at(-num_turns) ?? turns[0];
    // Of no turns it takes nothing back; without the number the client cannot read the row.
    if (num_turns === 0 || first === undefined) return;
    const kept = before.slice(0, before.indexOf(first));
    const base = this.windows.at(-1);
    const mayBeTrimmed = first !== turns[0] && this.isContext(kept.at(-1)) && (row.time ?? TRIMS_FROM) >= TRIMS_FROM;
    this.rewind(kept, before, row, mayBeTrimmed ? lessSure(base) : base, {
      anchor: anchorAt(row.ref),
      ref: row.ref,
      extra: { num_turns },
    });
  }

  /** What the client counts as a turn: every message of the user that it did not write as context, summaries too. */
  private beginsTurn(index: number): boolean {
    const message = this.messages.list[index];
    // A summary that only the server can read is no message.
    if (message?.kind === 'summary') return message.blocks.every(({ type }) => type === 'text');
    return message?.kind === 'prompt' || message?.extra.shortened_from !== undefined;
  }

  /** What the client tells the model by itself. */
  private isContext(index: number | undefined): boolean {
    const kind = this.messages.list[index ?? -1]?.kind;
    return kind === 'meta' || kind === 'interruption' || kind === 'command';
  }

  /** A file that goes on from the middle of another one of this thread: what came after that place is dead. */
  reverted(row: Row, cuts: { file: number; end: number }[], rollout_id: string): void {
    const isKept = ({ file, ordinal }: Messages['places'][number]) =>
      ordinal !== null && cuts.some((cut) => cut.file === file && ordinal < cut.end);
    const last = this.messages.places.findLastIndex(isKept);
    const kept = last === -1 ? [] : this.at(last);
    const history_base = objectAt(row.payload, 'history_base');
    const ref = { ...row.ref, pointer: `${row.pointer}/history_base` };
    const extra = { rollout_id, ...(history_base === undefined ? {} : { history_base }) };
    const base = this.windows.findLast(({ opened_at_index }) => opened_at_index <= last);
    this.rewind(kept, this.now(), row, base, { anchor: rollout_id, ref, extra });
  }

  private at(index: number): number[] {
    this.begin();
    return contextAt(this.windows, this.messages.list, index);
  }

  /** `base`: the window that what is kept was in. What it opened with is known no better now. */
  private rewind(
    kept: number[],
    before: number[],
    row: Row,
    base: OpenedWindow | undefined,
    given: { anchor: string; ref: SourceRef; extra: NonNullable<Signal['extra']> },
  ): void {
    const at = this.messages.list.length;
    const stays = new Set(kept);
    const told = { anchor: given.anchor, basis: 'recorded', confidence: 'high', evidence: [given.ref] } as const;
    this.rewinds.push({
      ...told,
      evidence: [given.ref],
      name: 'rewound',
      message_index: null,
      after_message_index: at === 0 ? null : at - 1,
      timestamp: row.time,
      could_be: null,
      between_turns: true,
      is_own: this.messages.owner === null,
      extra: given.extra,
      to_message_index: kept.at(-1) ?? null,
      removed: before.filter((index) => !stays.has(index)).sort((a, b) => a - b),
    });
    const { basis, confidence } = base ?? told;
    const opened = { anchor: given.anchor, evidence: [given.ref], basis, confidence };
    this.replace({ ...opened, opened_at_index: at, opened_by: 'rewind' }, kept);
  }
}

function lessSure(window: OpenedWindow | undefined): OpenedWindow | undefined {
  return window?.confidence === 'high' ? { ...window, basis: 'inferred', confidence: 'medium' } : window;
}
