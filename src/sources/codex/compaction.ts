// Compactions: a `compacted` line holds the summary and, from 0.105 on, the whole context after it. Of that, only ids and
// places are kept: in real homes these lists make gigabytes.

import type { SourceRef } from '../../schema/blocks.ts';
import type { Signal } from '../../schema/outline.ts';
import { integerAt, stringAt } from '../json-access.ts';
import type { Row } from './rows.ts';
import { summaryIn } from './signals.ts';
import type { ThreadTurn, Turns } from './turns.ts';

type Compacted = Extract<Signal, { name: 'context-compacted' }>;

interface Found {
  signal: Compacted;
  turn: ThreadTurn | null;
}

export class Compactions {
  private readonly found: Found[] = [];
  private readonly turns: Turns;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** Where the new context begins: in front of message `at`. */
  add(row: Row, at: number, given: Pick<Compacted, 'message_index' | 'summary_index' | 'kept' | 'pre_tokens' | 'post_tokens'>): string {
    const { payload } = row;
    const summary = summaryIn(stringAt(payload, 'message') ?? '');
    const anchor = stringAt(payload, 'window_id') ?? `line-${row.ref.line}`;
    this.found.push({
      turn: this.turns.current,
      signal: {
        name: 'context-compacted',
        after_message_index: at === 0 ? null : at - 1,
        anchor,
        timestamp: row.time,
        basis: 'recorded',
        confidence: 'high',
        could_be: null,
        evidence: [row.ref],
        uuid: null,
        scope: 'full',
        trigger: null,
        estimated: given.post_tokens !== null,
        instructions: null,
        summary,
        summary_source: summary === null ? 'encrypted' : 'inline',
        cleared_results: [],
        extra: extraOf(row),
        ...given,
      },
    });
    return anchor;
  }

  /** The record that tells the same act again, after the line. */
  marker(ref: SourceRef, uuid: string | null): boolean {
    const last = this.found.at(-1)?.signal;
    if (last === undefined || last.evidence.length > 1) return false;
    last.evidence.push(ref);
    last.uuid = uuid;
    return true;
  }

  /** The client's estimate of the new context, which follows the line. */
  estimate(tokens: number): void {
    const last = this.found.at(-1)?.signal;
    if (last === undefined || last.post_tokens !== null) return;
    last.post_tokens = tokens;
    last.estimated = true;
  }

  /** The next request makes its own count: no estimate comes any more. */
  signals(): Signal[] {
    return this.found.map(({ signal, turn }) => {
      const told = this.turns.migrated ? undefined : triggerIn(turn, signal);
      const estimated = signal.post_tokens === null ? {} : { estimated_fields: ['post_tokens'] };
      const basis = told === undefined ? {} : { trigger_basis: 'inferred', place: told.place };
      return { ...signal, trigger: told?.trigger ?? null, extra: { ...basis, ...estimated, ...signal.extra } };
    });
  }
}

/** Not recorded; it follows from the turn: /compact has one of its own, without a prompt (0.105 on). */
function triggerIn(
  turn: ThreadTurn | null,
  signal: Compacted,
): { trigger: 'auto' | 'manual'; place: string } | undefined {
  if (turn === null || turn.started === null) return undefined;
  const [prompt] = turn.prompts;
  if (prompt !== undefined)
    return { trigger: 'auto', place: prompt > (signal.after_message_index ?? -1) ? 'before-prompt' : 'mid-turn' };
  return turn.completed === null ? undefined : { trigger: 'manual', place: 'own-turn' };
}

function extraOf({ payload }: Row): NonNullable<Signal['extra']> {
  const extra: NonNullable<Signal['extra']> = {};
  for (const key of ['window_id', 'previous_window_id', 'window_number', 'compaction_response_id']) {
    const value = stringAt(payload, key) ?? integerAt(payload, key);
    if (value !== null) extra[key] = value;
  }
  return extra;
}
