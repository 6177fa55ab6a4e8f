// `/review`: a thread of its own looks at the work, and between two marks this thread's file tells of it: that its turn began, and
// what it was asked. Neither was said here. What it found is said here after it, in the name of both sides (0.98, 0.130, 0.166).

import { type JsonObject, objectAt, stringAt } from '../json-access.ts';

export class Review {
  /** Between the marks. */
  isOn = false;
  private thread: string | undefined;
  private hasBegun = false;

  /** `thread`: whose file it is, where the mark tells (paginated). */
  enter(thread: string | undefined): void {
    this.isOn = true;
    this.thread = thread;
    this.hasBegun = false;
  }

  leave(): void {
    this.isOn = false;
  }

  /** Of the turns that begin, the first is the reviewer's. At another the review is over: its process died. */
  begins(): boolean {
    const isReviewers = this.isOn && !this.hasBegun;
    this.hasBegun = true;
    this.isOn = isReviewers;
    return isReviewers;
  }

  /** Told by the reviewer, as the row says. */
  isReviewers(thread: string | undefined): boolean {
    return this.isOn && thread !== undefined && this.thread !== undefined && thread !== this.thread;
  }
}

/** What is to be reviewed, in the words that the person gave or was shown, and where they stand. */
export function askedIn(mark: JsonObject): { text: string; at: string } | undefined {
  const hint = stringAt(mark, 'user_facing_hint');
  if (hint !== undefined) return { text: hint, at: '/user_facing_hint' };
  const text = stringAt(objectAt(mark, 'target'), 'instructions');
  return text === undefined ? undefined : { text, at: '/target/instructions' };
}
