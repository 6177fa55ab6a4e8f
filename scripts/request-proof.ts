// The proof of the context windows: Claude Code 2.1.3xx records every request it sent, so what we
// say the model saw can be held against what was sent. Shares no code with the reader but its result.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contextAt, type Message, type Session } from '../src/index.ts';

export interface Proof {
  requests: number;
  /** Requests whose messages have the number, the order of roles and, where recorded, the text that we say. */
  equal: number;
  /** Messages of requests whose text is recorded whole, and those of them that are equal. */
  texts: number;
  equalTexts: number;
  /** Messages of requests whose text is recorded but shortened. */
  shortened: number;
  wrong: string[];
}

interface Blob {
  role: string;
  content: string | NativeBlock[];
}

type NativeBlock = Record<string, unknown> & { type: string };

interface Row {
  type: string;
  id?: string;
  hash?: string;
  message?: Blob;
  base?: string;
  keep?: number;
  tail?: string[];
  requestRef?: string | { id: string };
  uuid?: string;
}

export function proofOf(session: Session, home: string): Proof {
  const proof: Proof = { requests: 0, equal: 0, texts: 0, equalTexts: 0, shortened: 0, wrong: [] };
  const path =
    session.session.source.files.find((file) => file.role === 'main' || file.role === 'subagent')?.path ?? '';
  const rows = rowsOf(join(home, path));
  const blobs = new Map(
    rows.filter((row) => row.type === 'api-request-blob').map((row) => [row.hash ?? '', row.message]),
  );
  const sent = new Map<string, string[]>();
  for (const [line, row] of rows.entries()) {
    if (row.type !== 'api-request' || row.id === undefined) continue;
    const base = row.base === undefined ? [] : (sent.get(row.base) ?? []);
    const hashes = [...base.slice(0, row.keep), ...(row.tail ?? [])];
    sent.set(row.id, hashes);
    proof.requests++;
    const at = askedAt(session, rows, row.id, line + 1);
    const wrong = at === undefined ? 'nobody asked for it' : compare(session, at, hashes, blobs, proof);
    if (wrong === undefined) proof.equal++;
    else proof.wrong.push(`${path} line ${line + 1}: ${wrong}`);
  }
  return proof;
}

function rowsOf(path: string): Row[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Row];
    } catch {
      return [];
    }
  });
}

/** The last message in the request: the one before the reply that names it, or the prompt beside it that got none, or what was written before it. */
function askedAt(session: Session, rows: Row[], id: string, line: number): number | undefined {
  const answer = rows.find((row) => row.type === 'assistant' && nameOf(row.requestRef) === id)?.uuid;
  if (answer !== undefined) {
    const index = session.messages.findIndex((message) => message.id === answer || rowIds(message).includes(answer));
    return index === -1 ? undefined : index - 1;
  }
  const lineOf = (message: Message) => message.source[0]?.line ?? 0;
  const prompt = session.messages.find((message) => message.kind === 'prompt' && Math.abs(lineOf(message) - line) <= 3);
  return (prompt ?? session.messages.findLast((message) => lineOf(message) < line))?.index;
}

function nameOf(reference: Row['requestRef']): string | undefined {
  return typeof reference === 'object' ? reference.id : reference;
}

function rowIds(message: Message): string[] {
  const ids = message.extra.row_ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

function compare(
  session: Session,
  at: number,
  hashes: string[],
  blobs: Map<string, Blob | undefined>,
  proof: Proof,
): string | undefined {
  const ours = merged(
    contextAt(session.context.windows, session.messages, at).map((index) => session.messages[index] as Message),
  );
  // A message without content only carries settings of the request.
  const theirs = hashes.filter((hash) => blobs.get(hash)?.content.length !== 0);
  if (ours.length !== theirs.length) return `${theirs.length} messages were sent, we say ${ours.length}`;
  let wrong: string | undefined;
  for (const [i, hash] of theirs.entries()) {
    const blob = blobs.get(hash);
    const mine = ours[i];
    if (blob === undefined || mine === undefined) continue;
    if (blob.role !== mine.role) wrong ??= `message ${i} was sent as ${blob.role}, we say ${mine.role}`;
    const text = plain(nativeTexts(blob).join(' '));
    if (text.includes('charactersleftout]')) {
      proof.shortened++;
      continue;
    }
    proof.texts++;
    if (text === plain(mine.texts.join(' '))) proof.equalTexts++;
    else
      wrong ??= `message ${i} was sent as "${text.slice(0, 60)}", we say "${plain(mine.texts.join(' ')).slice(0, 60)}"`;
  }
  return wrong;
}

/** Clients merge neighbours of one role. */
function merged(messages: Message[]): { role: string; texts: string[] }[] {
  const result: { role: string; texts: string[] }[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    const texts = typeof message.extra.sent_as === 'string' ? [message.extra.sent_as] : textsOf(message);
    if (last?.role === message.role) last.texts.push(...texts);
    else result.push({ role: message.role, texts: [...texts] });
  }
  return result;
}

function textsOf(message: Message): string[] {
  return message.content.map((block) => {
    if (block.type === 'text' || block.type === 'thinking' || block.type === 'attachment')
      return String(block.text ?? '');
    if (block.type === 'tool_use') return JSON.stringify(block.input);
    if (block.type === 'tool_result')
      return block.content.map((part) => (part.type === 'text' ? String(part.text) : '')).join('\n');
    return '';
  });
}

function nativeTexts(blob: Blob): string[] {
  if (typeof blob.content === 'string') return [blob.content];
  return blob.content.map((block) => {
    if (block.type === 'text') return String(block.text);
    if (block.type === 'thinking') return String(block.thinking);
    if (block.type === 'tool_use') return JSON.stringify(block.input);
    if (block.type !== 'tool_result') return '';
    const content = block.content;
    return typeof content === 'string'
      ? content
      : ((content as { text?: string }[] | undefined) ?? []).map((part) => part.text ?? '').join('\n');
  });
}

/** Wrappers and line breaks between blocks differ by the side on which a text is sent. */
function plain(text: string): string {
  return text.replace(/<\/?system-reminder>/g, '').replace(/\s+/g, '');
}
