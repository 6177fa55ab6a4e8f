// As session-builder.ts, for nothing but tokens: the replies of one session, each with what its rows tell.

import type { Usage } from '../../schema/message.ts';
import type { UsageOfSession, UsageRow } from '../../schema/usage-row.ts';
import { Field } from '../json-fields.ts';
import { Odd } from '../odd.ts';
import { SeenIds } from '../seen-ids.ts';
import { timeIn } from '../times.ts';
import { inheritedRow } from '../usage-of-outline.ts';
import { keyOf, usageFrom } from './usage.ts';

/** The fields of a row that decide on tokens. */
export class RowFields {
  readonly type = new Field('type');
  readonly uuid = new Field('uuid');
  readonly timestamp = new Field('timestamp');
  readonly requestId = new Field('requestId');
  readonly cwd = new Field('cwd');
  readonly parentSession = new Field('sessionId');
  readonly id = new Field('id');
  readonly model = new Field('model');
  readonly usage = new UsageFields();
  readonly message = new Field('message', [this.id, this.model, this.usage.whole]);
  readonly all = [
    this.type,
    this.uuid,
    this.timestamp,
    this.requestId,
    this.cwd,
    this.message,
    new Field('forkedFrom', [this.parentSession]),
  ];
}

class UsageFields {
  private readonly input = new Field('input_tokens');
  private readonly written = new Field('cache_creation_input_tokens');
  private readonly read = new Field('cache_read_input_tokens');
  private readonly output = new Field('output_tokens');
  private readonly five = new Field('ephemeral_5m_input_tokens');
  private readonly hour = new Field('ephemeral_1h_input_tokens');
  private readonly byAge = new Field('cache_creation', [this.five, this.hour]);
  private readonly thinking = new Field('thinking_tokens');
  private readonly searches = new Field('web_search_requests');
  private readonly counted = [
    ...[this.input, this.read, this.written, this.five, this.hour],
    ...[this.output, this.thinking, this.searches],
  ];
  private readonly counts = new Float64Array(this.counted.length);
  readonly whole = new Field('usage', [
    this.input,
    this.written,
    this.read,
    this.output,
    this.byAge,
    new Field('output_tokens_details', [this.thinking]),
    new Field('server_tool_use', [this.searches]),
  ]);

  /** As `usageOf` in usage.ts. */
  get value(): Usage {
    const { counts, counted } = this;
    // In a loop: the compiler makes as many copies of the reading of a number as it stands here, and takes long for each.
    for (let i = 0; i < counted.length; i++) counts[i] = counted[i]?.count ?? 0;
    return usageFrom({
      input: counts[0] ?? 0,
      read: counts[1] ?? 0,
      written: counts[2] ?? 0,
      fiveMinutes: this.byAge.isObject ? (counts[3] ?? 0) : null,
      hour: counts[4] ?? 0,
      output: counts[5] ?? 0,
      thinking: counts[6] ?? 0,
      searches: counts[7] ?? 0,
    });
  }
}

/** What these rows mean is known only to those who look into every row of the file. */
export class NeedsAll extends Odd {}

/** The first of its rows tells when and by whom, the last one what it took. */
interface Reply {
  id: string | undefined;
  timestamp: string | null;
  model: string | null;
  request_id: string | null;
  usage: Usage | null;
  inherited: boolean;
}

export class SessionUsage {
  project: string | null = null;
  private readonly id: string;
  private readonly replies: Reply[] = [];
  private readonly byApiId = new Map<string, Reply>();
  private readonly uuids = new SeenIds();
  /** Every row is taken, and which of them are there twice is known for certain. */
  private readonly certain: Set<string> | null;

  constructor(id: string, { takesAll }: { takesAll: boolean }) {
    this.id = id;
    this.certain = takesAll ? new Set() : null;
  }

  get result(): UsageOfSession {
    return {
      session_id: this.id,
      project: this.project,
      rows: [...this.rowsOf(false), ...this.rowsOf(true).flatMap(inheritedRow)],
    };
  }

  private rowsOf(areInherited: boolean): UsageRow[] {
    return this.replies.flatMap(({ id, timestamp, model, request_id, usage, inherited }) =>
      usage === null || inherited !== areInherited ? [] : [{ key: keyOf(id, request_id), timestamp, model, usage }],
    );
  }

  /** Takes the row that was just looked into; `cwd` where another one tells it. */
  take(row: RowFields, cwd = row.cwd): void {
    this.project ??= cwd.text || null;
    if (this.isAgain(row.uuid)) return;
    if (row.message.isObject && row.type.is('assistant')) this.reply(row);
  }

  /** As `again` in session-builder.ts. */
  private isAgain(uuid: Field): boolean {
    if (this.certain === null) {
      if (!uuid.is('') && uuid.isIn(this.uuids)) throw new NeedsAll('a row again');
      return false;
    }
    const text = uuid.text || undefined;
    if (text === undefined || !this.certain.has(text)) {
      if (text !== undefined) this.certain.add(text);
      return false;
    }
    return true;
  }

  private reply(row: RowFields): void {
    const { requestId, model, usage } = row;
    const last = this.replies.at(-1);
    // Mostly a row goes on the last reply, or begins one.
    const reply = last?.id && row.id.is(last.id) ? last : this.replyOf(row);
    const isAnother = reply.request_id !== null && requestId.isText && !requestId.is(reply.request_id);
    if (isAnother) throw new Odd('the id of another reply');
    if (reply.request_id === null) reply.request_id = requestId.text ?? reply.request_id;
    // `<synthetic>` replies are the client's own words: no tokens.
    if (usage.whole.isObject && !model.is('<synthetic>')) reply.usage = usage.value;
  }

  private replyOf(row: RowFields): Reply {
    const id = row.id.text;
    const known = id ? this.byApiId.get(id) : undefined;
    if (known !== undefined) return known;
    const reply: Reply = {
      id,
      timestamp: timeIn(row.timestamp.text),
      model: this.modelIn(row.model),
      request_id: null,
      usage: null,
      inherited: row.parentSession.text !== undefined,
    };
    this.replies.push(reply);
    if (id) this.byApiId.set(id, reply);
    return reply;
  }

  /** One string for all replies of a model. */
  private modelIn(model: Field): string | null {
    const last = this.replies.at(-1)?.model ?? null;
    return last !== null && model.is(last) ? last : (model.text ?? null);
  }
}
