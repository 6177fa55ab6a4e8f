// Turns that were taken back: a rewind, or a prompt that was stopped before the first byte. Both leave the same traces (2.1.325).

import type { SourceRef } from '../../schema/blocks.ts';
import type { OpenedWindow, OutlineMessage, Signal } from '../../schema/outline.ts';
import type { JsonObject } from '../json-access.ts';
import type { TakenBack } from './context.ts';

interface Settled {
  signals: Signal[];
  /** What opened the windows in which turns were taken back. */
  windowAnchors: Map<number, Pick<OpenedWindow, 'anchor' | 'opened_by'>>;
}

export class TakenBackTurns {
  private readonly messages: readonly OutlineMessage[];
  private readonly explicitLeaves: { after: number; ref: SourceRef }[] = [];

  constructor(messages: readonly OutlineMessage[]) {
    this.messages = messages;
  }

  /** `explicit` with an all-zero leaf is written after the prompt that took turns back (2.1.325). */
  lastPrompt(row: JsonObject, ref: SourceRef): void {
    if (row.explicit === true) this.explicitLeaves.push({ after: this.messages.length - 1, ref });
  }

  settle(takenBack: readonly TakenBack[], died: readonly Signal[]): Settled {
    const signals: Signal[] = [];
    const windowAnchors: Settled['windowAnchors'] = new Map();
    for (const taken of takenBack) {
      // Of a reply whose call was never answered the client sends nothing: nobody took it back.
      if (this.isOnly(taken, died)) {
        windowAnchors.set(taken.at, { anchor: null, opened_by: 'resume' });
        continue;
      }
      // A prompt that begins anew: only the client's own mark tells that the person went back to the beginning.
      if (taken.to === null && this.leafAfter(taken) === undefined) continue;
      const signal = this.signalOf(taken);
      signals.push(signal);
      const opened_by = signal.name === 'rewound' ? 'rewind' : 'rollback';
      windowAnchors.set(taken.at, { anchor: signal.anchor, opened_by });
    }
    return { signals, windowAnchors };
  }

  private isOnly(taken: TakenBack, died: readonly Signal[]): boolean {
    const callers = new Set(died.map(({ after_message_index }) => after_message_index));
    const said = this.saidIn(taken);
    return said.length > 0 && said.every((index) => callers.has(index));
  }

  /** A lone prompt without any answer went back to the input box; finished turns were rewound. */
  private signalOf(taken: TakenBack): Signal {
    const prompt = this.messages[taken.at];
    const leaf = this.leafAfter(taken);
    const [lone, ...others] = this.saidIn(taken);
    const evidence = [...(prompt?.source.slice(0, 1) ?? []), ...(leaf === undefined ? [] : [leaf.ref])];
    if (lone !== undefined && others.length === 0 && this.messages[lone]?.kind === 'prompt')
      return this.stoppedAtOnce(lone, evidence);
    return {
      name: 'rewound',
      message_index: taken.at,
      after_message_index: taken.at === 0 ? null : taken.at - 1,
      anchor: prompt?.id ?? '',
      timestamp: prompt?.timestamp ?? null,
      basis: 'inferred',
      confidence: leaf === undefined ? 'medium' : 'high',
      could_be: null,
      evidence,
      to_message_index: taken.to,
      removed: taken.removed,
    };
  }

  private stoppedAtOnce(index: number, evidence: SourceRef[]): Signal {
    const stopped = this.messages[index];
    return {
      name: 'turn-interrupted',
      message_index: null,
      after_message_index: index,
      anchor: stopped?.id ?? '',
      timestamp: null,
      basis: 'inferred',
      confidence: 'medium',
      could_be: 'rewind',
      evidence: [...(stopped?.source.slice(0, 1) ?? []), ...evidence],
      type: 'user',
      target: 'response',
      tool_use_ids: [],
      interrupted_message_index: null,
      partial_output: null,
    };
  }

  /** Of the messages that were taken back, those that somebody said. */
  private saidIn({ removed }: TakenBack): number[] {
    return removed.filter((index) => {
      const kind = this.messages[index]?.kind;
      return kind !== 'meta' && kind !== 'notice';
    });
  }

  /** In the same turn: where all begins anew the client tells its environment anew, and the mark may come after the reply. */
  private leafAfter(taken: TakenBack): { ref: SourceRef } | undefined {
    const next = this.messages.findIndex(({ kind }, index) => index > taken.at && kind === 'prompt');
    const end = next === -1 ? this.messages.length : next;
    return this.explicitLeaves.find((entry) => entry.after >= taken.at && entry.after < end);
  }
}
