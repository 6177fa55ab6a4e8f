// What a session's rows tell about the session itself.

import type { OutlineHead, OutlineMessage } from '../../schema/outline.ts';
import { type JsonObject, stringAt, stringsAt } from '../json-access.ts';
import { titleFrom } from '../new-head.ts';
import { timeIn } from '../times.ts';

export class HeadFacts {
  readonly head: OutlineHead;
  private started: string | null = null;
  private updated: string | null = null;
  private summary: string | null = null;
  private firstPrompt: string | null = null;
  private readonly directories = new Set<string>();

  constructor(head: OutlineHead) {
    this.head = head;
  }

  header(header: JsonObject): void {
    const start = timeIn(header.startTime);
    if (start !== null && (this.started === null || start < this.started)) this.started = start;
    this.writtenAt(timeIn(header.lastUpdated), header);
    const hash = stringAt(header, 'projectHash');
    if (hash !== undefined) this.head.extra.project_hash = hash;
    this.set(header);
  }

  set(set: JsonObject): void {
    this.summary = stringAt(set, 'summary') ?? this.summary;
    if (set.memoryScratchpad !== undefined) this.head.extra.memory_scratchpad = set.memoryScratchpad;
    for (const directory of stringsAt(set, 'directories')) this.directories.add(directory);
  }

  /** When something was said or done. */
  happenedAt(time: string | null): void {
    if (time !== null && time > (this.head.ended_at ?? '')) this.head.ended_at = time;
  }

  /**
   * When its file was written. At the next start of the client, days later, it is written again: sessions get titles then (0.21 on, wild), and
   * what is to be remembered of them. That is no end, unless nothing else tells one.
   */
  writtenAt(time: string | null, what: JsonObject): void {
    const isLater = this.head.kind === 'main' && (what.summary !== undefined || what.memoryScratchpad !== undefined);
    if (!isLater) this.happenedAt(time);
    else if (time !== null && time > (this.updated ?? '')) this.updated = time;
  }

  prompt(text: string): void {
    this.firstPrompt ??= text.trim() || null;
  }

  finish(messages: readonly OutlineMessage[]): OutlineHead {
    const { head } = this;
    head.ended_at ??= this.updated;
    head.started_at = this.started ?? messages.find((message) => message.timestamp !== null)?.timestamp ?? null;
    head.cwds = [...new Set([...(head.project === null ? [] : [head.project]), ...this.directories])];
    head.project ??= head.cwds[0] ?? null;
    head.models = [...new Set(messages.flatMap((message) => (message.model === null ? [] : [message.model])))];
    // What a subagent calls its summary is its result.
    const summary = head.kind === 'main' ? this.summary : null;
    const first = this.firstPrompt === null ? null : titleFrom(this.firstPrompt);
    head.title = summary ?? first;
    head.title_source = summary !== null ? 'summary' : first === null ? null : 'first-prompt';
    return head;
  }
}
