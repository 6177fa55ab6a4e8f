// The tokens of a family without its outlines: nothing is made of rows of the user's side, most of all bytes, and of replies
// no more than how much they tell. It gives what the outlines give. What it does not know whole is odd, and then the outlines
// must be read: replies that only a loaded context tells, and large documents.

import type { Usage } from '../../schema/message.ts';
import type { UsageOfSession, UsageRow } from '../../schema/usage-row.ts';
import { isObject, type JsonObject, listAt, stringsAt } from '../json-access.ts';
import { readLines } from '../lines.ts';
import { Odd, unless } from '../odd.ts';
import { eachRowIn } from '../rows-in-line.ts';
import type { Family, FamilyFile, FileInfo, Files } from '../source.ts';
import { documentIn, isDocument } from './outline.ts';
import * as row from './row-fields.ts';
import { type Entry, entryFrom, type Told, toldFrom } from './rows.ts';
import { richesIn, richesOf } from './told.ts';
import { usageKey, usageOf } from './usage.ts';

export function familyUsage(family: Family, port: Files): UsageOfSession[] | null {
  return unless(Odd, () => {
    const sessions = new Map<string, FamilyFile[]>();
    for (const file of family.files) {
      if (file.session_id === null) continue;
      sessions.set(file.session_id, [...(sessions.get(file.session_id) ?? []), file]);
    }
    return [...sessions]
      .map(([session, files]) => new LogUsage(session).read(files, port))
      .filter(({ rows }) => rows.length > 0);
  });
}

/** A reply, as its rows told it so far. */
interface Reply {
  id: string;
  timestamp: string | null;
  model: string | null;
  usage: Usage | null;
  riches: number;
}

const NOWHERE = { file: 0, line: 0, offset: 0, length: 0, pointer: null };
/** Larger documents are not held. */
const LARGEST_DOCUMENT = 8 * 1024 * 1024;

class LogUsage {
  private readonly session: string;
  private project: string | null = null;
  private replies: Reply[] = [];
  /** By id: a reply, or null for what is none. */
  private readonly known = new Map<string, Reply | null>();
  /** Ids of replies that may belong to another one: stopped calls, and what contexts tell anew. */
  private readonly unsure = new Set<string>();
  /** Ids that rows told one after another, and whether for the first time. */
  private told: { id: string; isFirst: boolean }[] = [];
  private readonly everTold = new Set<string>();
  /** The next context is one that was loaded, not one that the client made of what was said. */
  private isLoading = false;

  constructor(session: string) {
    this.session = session;
  }

  read(files: FamilyFile[], port: Files): UsageOfSession {
    for (const { info } of files) {
      if (isDocument(info.path, port)) this.document(info, port);
      else readLines(port, info.path, (bytes, from, to) => eachRowIn(bytes, from, to, row.ROW, this.row));
    }
    return { session_id: this.session, project: this.project, rows: this.replies.flatMap(rowOf) };
  }

  private document({ path, bytes }: FileInfo, port: Files): void {
    const document = bytes > LARGEST_DOCUMENT ? undefined : documentIn(path, port);
    if (document === undefined) throw new Odd('no document, or a large one');
    this.header(document.value);
    for (const message of listAt(document.value, 'messages') ?? []) {
      if (isObject(message) && typeof message.id === 'string') this.message(toldFrom(message, NOWHERE, ''));
      else this.told = [];
    }
  }

  private readonly row = (): void => {
    const other = row.otherId();
    if (other !== undefined) {
      this.other(other);
      return;
    }
    const set = row.settings();
    if (set !== undefined) {
      if (set !== null) this.settings(set);
      return;
    }
    const reply = row.reply();
    if (reply !== undefined) {
      this.reply(reply);
      return;
    }
    const items = row.contextItems();
    if (items === undefined) this.value(row.ROW.value);
    else this.context(items);
  };

  /** What is seldom, made whole. */
  private value(value: JsonObject): void {
    if (typeof value.id !== 'string' && Array.isArray(value.messages)) throw new Odd('a document in a log');
    this.entry(entryFrom(value, NOWHERE, new Map()));
  }

  private entry(entry: Entry): void {
    if (entry.what === 'context') throw new Odd('a context beside something else');
    if (entry.what === 'message') this.message(entry);
    if (entry.what === 'set') this.settings(entry.set);
    if (entry.what === 'header') this.header(entry.header);
    if (entry.what === 'restart') this.isLoading = this.known.size > 0;
    if (entry.what === 'rewind') this.isLoading = false;
    if (entry.what !== 'message' && entry.what !== 'set') this.told = [];
  }

  private header(header: JsonObject): void {
    this.settings(header);
    this.isLoading = this.known.size > 0;
    this.told = [];
  }

  private settings(set: JsonObject): void {
    this.project ??= stringsAt(set, 'directories')[0] ?? null;
  }

  private message(told: Told): void {
    if (told.type === 'gemini') this.reply(replyOf(told));
    else if (told.tokens === undefined) this.other(told.id);
    else throw new Odd('tokens of no reply');
  }

  /** A message that is no reply. */
  private other(given: string): void {
    this.note(given);
    if (this.known.get(given)) throw new Odd('another message');
    this.known.set(given, null);
  }

  private reply(told: row.ToldReply): void {
    const known = this.known.get(told.id);
    this.note(told.id);
    if (known === null || this.unsure.has(told.id)) throw new Odd('another message');
    if (known === undefined) {
      this.begin(told);
      return;
    }
    // A row that tells less, or the same, only repeats.
    if (told.riches <= known.riches) return;
    known.riches = told.riches;
    tell(known, told);
  }

  private begin(told: row.ToldReply): void {
    if (told.isStopped) this.unsure.add(told.id);
    const reply = { id: told.id, timestamp: told.time, model: null, usage: null, riches: told.riches };
    this.known.set(told.id, reply);
    this.replies.push(reply);
    tell(reply, told);
  }

  private note(given: string): void {
    this.told.push({ id: given, isFirst: !this.everTold.has(given) });
    this.everTold.add(given);
  }

  /** Only what was loaded counts as said; all else that a context tells was said before, or is put there by the client. */
  private context(items: row.ContextItem[]): void {
    const ids = items.map(({ id }) => id);
    const again = this.isAgain(ids) ? this.forget(ids) : [];
    const isLoaded = this.isLoading || this.known.size === 0;
    if (isLoaded && again.some(({ usage }) => usage !== null)) throw new Odd('a reply in a context');
    for (const reply of again) this.unsure.add(reply.id);
    for (const { id, isUser, hasTokens } of items) {
      if (this.known.has(id)) continue;
      this.known.set(id, null);
      if (isUser) continue;
      if (isLoaded && hasTokens) throw new Odd('a reply in a context');
      this.unsure.add(id);
    }
    this.told = [];
    this.isLoading = false;
  }

  /** As `recordedAgain` in entries.ts: the kept history under new ids. */
  private isAgain(ids: string[]): boolean {
    const run = this.told.slice(-ids.length);
    return (
      ids.length > 0 && run.length === ids.length && run.every(({ id: at, isFirst }, i) => at === ids[i] && isFirst)
    );
  }

  /** They were told only to be told again: gives the replies among them. */
  private forget(ids: string[]): Reply[] {
    const gone = new Set(ids);
    const again = this.replies.filter((reply) => gone.has(reply.id));
    this.replies = this.replies.filter((reply) => !gone.has(reply.id));
    for (const given of gone) this.known.delete(given);
    return again;
  }
}

function replyOf(told: Told): row.ToldReply {
  const { id, time, model, tokens, calls } = told;
  const riches = richesOf(told);
  const stopped = calls.filter(({ status }) => status === 'cancelled').length;
  return { id, time, model, tokens, riches: richesIn(riches), isStopped: row.isStopped(riches, stopped) };
}

function tell(reply: Reply, told: row.ToldReply): void {
  reply.model = told.model ?? reply.model;
  if (told.tokens !== undefined) reply.usage = usageOf(told.tokens);
}

function rowOf(reply: Reply): UsageRow[] {
  const { timestamp, model, usage } = reply;
  return usage === null ? [] : [{ key: usageKey(reply), timestamp, model, usage }];
}
