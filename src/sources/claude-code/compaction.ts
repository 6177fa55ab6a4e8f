// Compactions: `system/compact_boundary`, then the summary as a user row (2.0.x on); 1.0.100
// writes the summary row alone. 2.1.325 keeps the newest messages: rows from before the
// boundary that are sent after the summary.

import type { SourceRef } from '../../schema/blocks.ts';
import { rangesOf } from '../../schema/context.ts';
import type { OpenedWindow, OutlineMessage } from '../../schema/outline.ts';
import { integerAt, type JsonObject, objectAt, stringAt, stringsAt } from '../json-access.ts';
import { type Compacted, newCompaction } from '../new-compaction.ts';
import { CLONE_ROW } from './records.ts';
import type { RowIndex } from './row-index.ts';
import { rowSignal } from './row-signal.ts';
import { commandArguments } from './rows.ts';

export class Compactions {
  readonly found: Compacted[] = [];
  private pending: Compacted | null = null;
  /** Where the boundary stands that waits for its summary. */
  private pendingAt = 0;
  private isOurs = false;
  private keepsBeginning = false;
  private readonly messages: readonly OutlineMessage[];
  private readonly rows: Pick<RowIndex, 'get' | 'messageAt'>;

  constructor(messages: readonly OutlineMessage[], rows: Pick<RowIndex, 'get' | 'messageAt'>) {
    this.messages = messages;
    this.rows = rows;
  }

  boundary(row: JsonObject, ref: SourceRef, index: number): void {
    const data = objectAt(row, 'compactMetadata');
    const logical = stringAt(row, 'logicalParentUuid');
    const before = logical === undefined ? undefined : this.rows.messageAt(logical);
    const kept = this.keptBy(data);
    // "Summarize from here" (2.1.110, 2.1.325) hangs what it keeps on the boundary: it is sent before the summary.
    this.keepsBeginning = stringAt(objectAt(data, 'preservedSegment'), 'anchorUuid') === stringAt(row, 'uuid');
    const last = before === undefined || this.keepsBeginning ? index - 1 : Math.max(before, ...kept);
    this.pendingAt = index;
    this.pending = {
      ...newCompaction(rowSignal(row, ref, index)),
      after_message_index: last < 0 ? null : last,
      uuid: stringAt(row, 'uuid') ?? null,
      trigger: triggerOf(stringAt(data, 'trigger')),
      pre_tokens: integerAt(data, 'preTokens'),
      post_tokens: integerAt(data, 'postTokens'),
      kept,
    };
    // The boundary of a copy of ours: the session begins with a summary, nothing was compacted in it.
    this.isOurs = stringAt(data, 'by') === CLONE_ROW;
    if (!this.isOurs) this.found.push(this.pending);
  }

  /** Older tool outputs taken out of the context, everything else left (2.1.12 to 2.1.22). */
  partial(row: JsonObject, ref: SourceRef, index: number): void {
    const data = objectAt(row, 'microcompactMetadata');
    const pre = integerAt(data, 'preTokens');
    const saved = integerAt(data, 'tokensSaved');
    this.found.push({
      ...newCompaction(rowSignal(row, ref, index)),
      uuid: stringAt(row, 'uuid') ?? null,
      scope: 'partial',
      trigger: triggerOf(stringAt(data, 'trigger')),
      pre_tokens: pre,
      post_tokens: pre === null || saved === null ? null : Math.max(0, pre - saved),
      cleared_results: stringsAt(data, 'compactedToolIds'),
    });
  }

  /** The summary row: from here on the model sees it, what was kept, and what follows. */
  summary(row: JsonObject, ref: SourceRef, index: number): OpenedWindow {
    // The summary need not hang on the boundary (auto compaction, 2.1.325): it is the next one after it.
    const signal = this.pending ?? newCompaction(rowSignal(row, ref, index));
    const between = this.pending === null ? [] : this.sentBetween(this.pendingAt, index);
    if (this.pending === null) {
      this.isOurs = false;
      this.keepsBeginning = false;
      this.found.push(signal);
    }
    this.pending = null;
    signal.summary_index = index;
    signal.summary_source = 'inline';
    if (!signal.evidence.includes(ref)) signal.evidence.push(ref);
    return {
      opened_at_index: index,
      opened_by: 'compaction',
      anchor: this.isOurs ? null : signal.anchor,
      start: rangesOf(this.keepsBeginning ? [...signal.kept, ...between, index] : [...between, index, ...signal.kept]),
      basis: 'recorded',
      confidence: 'high',
      evidence: [...signal.evidence],
    };
  }

  /** The window of a boundary after which talk goes on without a summary; undefined where none is waiting. */
  withoutSummary(index: number): OpenedWindow | undefined {
    const signal = this.pending;
    if (signal === null) return undefined;
    this.pending = null;
    return {
      opened_at_index: index,
      opened_by: 'compaction',
      anchor: signal.anchor,
      start: rangesOf(signal.kept),
      basis: 'recorded',
      confidence: 'medium',
      evidence: [...signal.evidence],
    };
  }

  /** `/compact` stands after what it did: it tells that 1.0.100's compaction was asked for, and its instructions. */
  command(name: string | undefined, text: string, index: number): void {
    const last = this.found.findLast((signal) => signal.scope === 'full');
    if (name !== 'compact' || last === undefined) return;
    const gap = this.messages.slice((last.summary_index ?? last.message_index ?? 0) + 1, index);
    if (gap.some((message) => message.kind === 'reply' || message.kind === 'prompt')) return;
    // One that followed by itself was not asked for: what was asked for then did nothing.
    if (last.trigger === 'auto') return;
    last.trigger = 'manual';
    last.instructions = commandArguments(text);
  }

  /** `preservedMessages` names rows; `preservedSegment` (2.1.80 on) only the ends of a run of them. */
  private keptBy(data: JsonObject | undefined): number[] {
    const named = stringsAt(objectAt(data, 'preservedMessages'), 'uuids');
    if (named.length > 0) return this.sentOnce(named.map((uuid) => this.rows.get(uuid)));
    const segment = objectAt(data, 'preservedSegment');
    const head = this.rows.messageAt(stringAt(segment, 'headUuid') ?? '');
    const tail = this.rows.messageAt(stringAt(segment, 'tailUuid') ?? '');
    if (head === undefined || tail === undefined || tail < head) return [];
    return this.sentOnce(Array.from({ length: tail - head + 1 }, (_, i) => head + i));
  }

  /** What the client tells anew between the boundary and the summary (2.1.325: the date) is sent with it. */
  private sentBetween(boundary: number, summary: number): number[] {
    const told = this.messages.slice(boundary, summary).map(({ kind, sent }) => kind === 'meta' && sent);
    return told.flatMap((isTold, i) => (isTold ? [boundary + i] : []));
  }

  private sentOnce(indices: (number | undefined)[]): number[] {
    return [...new Set(indices)].filter(
      (index) => index !== undefined && this.messages[index]?.sent === true,
    ) as number[];
  }
}

function triggerOf(word: string | undefined): Compacted['trigger'] {
  return word === 'auto' || word === 'manual' ? word : null;
}
