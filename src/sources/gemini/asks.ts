// Each prompt, and what came of it: replies, notes, errors.

import type { SourceRef } from '../../schema/blocks.ts';
import type { OutlineMessage } from '../../schema/outline.ts';
import type { Told } from './rows.ts';
import { apiErrorIn, CANCELLED } from './signals.ts';

export interface Note {
  index: number;
  ref: SourceRef;
}

/** What stands before the first prompt of which a file tells: it has a prompt too, but not here. */
export const NO_PROMPT = -1;

export interface Ask {
  prompt: number;
  text: string;
  replies: number[];
  /** "Request cancelled.": once for each stop, and for a refusal that ended the turn. */
  cancels: Note[];
  errors: { index: number; id: string; time: string | null; ref: SourceRef; text: string }[];
  /** The context from which it was taken out again, where one was recorded. */
  rolled_back: SourceRef | null;
  /** The process was started again after it. */
  restarted: boolean;
  time: string | null;
  /** The last message that belongs to it. */
  last: number;
}

export class Asks {
  readonly all: Ask[] = [];
  current: Ask | null = null;

  begin(prompt: number, { text, time }: Pick<Ask, 'text' | 'time'>): Ask {
    this.current = {
      prompt,
      text,
      time,
      replies: [],
      cancels: [],
      errors: [],
      rolled_back: null,
      restarted: false,
      last: prompt,
    };
    this.all.push(this.current);
    return this.current;
  }

  restart(): void {
    if (this.current !== null) this.current.restarted = true;
  }

  reply(index: number): void {
    this.present().replies.push(index);
    this.other(index);
  }

  other(index: number): void {
    if (this.current !== null) this.current.last = index;
  }

  note(index: number, { type, text, ref, id, time }: Pick<Told, 'type' | 'text' | 'ref' | 'id' | 'time'>): void {
    if (type === 'info' && text === CANCELLED) this.present().cancels.push({ index, ref });
    else if (type === 'error' && apiErrorIn(text) !== undefined)
      this.present().errors.push({ index, id, time, ref, text });
    else return;
    this.other(index);
  }

  private present(): Ask {
    return this.current ?? this.begin(NO_PROMPT, { text: '', time: null });
  }
}

/** The last thing that was said is an answer in words: nothing was asked of the model after it. */
export function isAnswered({ replies }: Ask, next: Ask | undefined, messages: readonly OutlineMessage[]): boolean {
  const reply = replies.at(-1) ?? -1;
  const after = messages.slice(reply + 1, next?.prompt);
  return messages[reply]?.ends_turn === true && after.every(({ kind }) => kind === 'notice');
}
