// 2.1.3xx records every request it sent: `api-request` rows name the messages by hash, as
// "the first `keep` of request `base`, then `tail`". So the context that we work out can be
// held against what was really sent. Blobs are copies of messages, never messages themselves.

import { contextAt } from '../../schema/context.ts';
import type { OpenedWindow, OutlineMessage } from '../../schema/outline.ts';
import { countAt, type JsonObject, listAt, objectAt, stringAt, stringsAt } from '../json-access.ts';

interface SentRequest {
  /** How many messages it had. */
  count: number;
  /** Places of messages without content, which only carry settings (`output_config`). */
  empty: number[];
}

export class RequestLog {
  private readonly requests = new Map<string, SentRequest>();
  private readonly emptyBlobs = new Set<string>();
  private hasSystemMessages = false;
  /** Request id → the reply that answered it. */
  private readonly replies = new Map<string, number>();

  blob(row: JsonObject): void {
    const hash = stringAt(row, 'hash');
    const message = objectAt(row, 'message');
    const content = listAt(message, 'content');
    if (message?.role === 'system') this.hasSystemMessages = true;
    if (hash !== undefined && content?.length === 0) this.emptyBlobs.add(hash);
  }

  request(row: JsonObject): void {
    const id = stringAt(row, 'id');
    if (id === undefined) return;
    const keep = countAt(row, 'keep');
    const tail = stringsAt(row, 'tail');
    const base = this.requests.get(stringAt(row, 'base') ?? '');
    const kept = (base?.empty ?? []).filter((place) => place < keep);
    const added = tail.flatMap((hash, i) => (this.emptyBlobs.has(hash) ? [keep + i] : []));
    this.requests.set(id, { count: keep + tail.length, empty: [...kept, ...added] });
  }

  /**
   * Models that take no system messages in mid-conversation (claude-sonnet-4-5 in the recordings)
   * get everything on the user's side, whatever the attachment's row says.
   */
  get sendsAllAsUser(): boolean {
    return this.requests.size > 0 && !this.hasSystemMessages;
  }

  answered(requestId: string, replyIndex: number): void {
    if (!this.replies.has(requestId)) this.replies.set(requestId, replyIndex);
  }

  /**
   * A window in which a recorded request had as many messages as we say is recorded, not
   * inferred. Gives how many were held against our contexts, and the replies whose request had another number.
   */
  confirm(windows: OpenedWindow[], messages: readonly OutlineMessage[]): { compared: number; mismatches: number[] } {
    const requestOf = new Map([...this.replies].map(([id, reply]) => [reply, this.requests.get(id)]));
    const mismatches: number[] = [];
    let compared = 0;
    if (requestOf.size === 0) return { compared, mismatches };
    windows.forEach((window, i) => {
      const end = (windows[i + 1]?.opened_at_index ?? messages.length) - 1;
      for (const [reply, count] of countsBefore(contextAt([window], messages, end), messages)) {
        const request = reply < window.opened_at_index ? undefined : requestOf.get(reply);
        if (request === undefined) continue;
        compared++;
        if (count !== request.count - request.empty.length) mismatches.push(reply);
        else if (window.basis === 'inferred') Object.assign(window, { basis: 'recorded', confidence: 'high' });
      }
    });
    return { compared, mismatches };
  }
}

/**
 * For every reply of a context, how many API messages stand before it: neighbours of one role are sent
 * as one. What is sent before an earlier message is so only between two replies: one walk serves them all.
 */
function countsBefore(context: number[], messages: readonly OutlineMessage[]): [reply: number, count: number][] {
  const counts: [number, number][] = [];
  let count = 0;
  let role: string | undefined;
  for (const index of context) {
    const message = messages[index];
    if (message === undefined) continue;
    if (message.kind === 'reply') counts.push([index, count]);
    if (message.role !== role) count++;
    role = message.role;
  }
  return counts;
}
