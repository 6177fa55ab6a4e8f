// The messages and records of one thread as they grow.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../../schema/outline.ts';
import type { RecordEntry } from '../../schema/session.ts';
import { newMessage } from '../new-message.ts';
import { NOTHING_SAID, saidAmong, saidIn } from '../said.ts';
import type { OutlineOptions } from '../source.ts';
import { contentOf } from './content.ts';
import type { HeadFacts } from './head.ts';
import type { Item } from './items.ts';
import type { Row } from './rows.ts';
import type { Turns } from './turns.ts';

/** How a line is accounted for. */
export type Account = 'message' | 'record' | 'unknown' | 'copy';

/** Of thoughts, more may be shown; of results, what the client recorded may follow. */
const SETTLED = new Set<OutlineBlock['type']>(['text', 'image', 'tool_use']);

/** Whose rows are being read: the thread's own (null), or its parent's. */
export type Owner = { session_id: string; idOf: (row: Row) => string } | null;

export class Messages {
  readonly list: OutlineMessage[] = [];
  readonly records: RecordEntry[] = [];
  readonly byId = new Map<string, number>();
  /** File and ordinal of the row that each message began with. */
  readonly places: { file: number; ordinal: number | null }[] = [];
  owner: Owner = null;
  private readonly head: HeadFacts;
  private readonly turns: Turns;
  /** Rows as they were read, by file and offset, for sessions small enough to hold. */
  private readonly held: Map<number, Json>[] | null;
  private readonly onlySaid: boolean;

  constructor(head: HeadFacts, turns: Turns, { content, said }: OutlineOptions) {
    this.head = head;
    this.turns = turns;
    this.onlySaid = said === true;
    this.held = content && !this.onlySaid ? [] : null;
  }

  /** To be told of a row when it has become what it is. */
  hold(row: Row, value: Json): void {
    const { ref } = row;
    if (this.onlySaid) this.holdSaid(ref, value);
    if (this.held === null || this.madeOf(row, value)) return;
    this.held[ref.file] ??= new Map();
    this.held[ref.file]?.set(ref.offset, value);
  }

  /** The content of an item to which nothing can be added, made while its row is at hand: then the row need not be held. */
  private madeOf({ ref, type }: Row, value: Json): boolean {
    const message = this.list.at(-1);
    if (type !== 'response_item' || message?.source[0] !== ref) return false;
    if (!message.blocks.every((block) => block.row === ref && SETTLED.has(block.type))) return false;
    message.content = contentOf(message, { row: () => value });
    return true;
  }

  /** What was said in the message that a row became. Where its words lie in several rows, they are read back. */
  private holdSaid(ref: SourceRef, value: Json): void {
    const message = this.list.at(-1);
    if (message === undefined || !message.blocks.some(({ row }) => row === ref)) return;
    const blocks = saidAmong(message.blocks, message.kind);
    if (blocks.length === 0) {
      message.said = NOTHING_SAID;
      return;
    }
    const isHere = blocks.every(({ row }) => row === ref);
    message.said = isHere ? saidIn(contentOf({ ...message, blocks }, { row: () => value })) : null;
  }

  add(item: Item, row: Row): number {
    const { owner } = this;
    const index = this.list.length;
    const native = item.id ?? this.lineId(row, item);
    const id = this.byId.has(native) ? `${native}+${row.ref.offset}` : native;
    const inherited = owner === null ? null : { session_id: owner.session_id, id: item.id ?? owner.idOf(row) };
    const { role, kind, blocks, extra } = item;
    const turn_id = item.turn_id ?? this.turns.current?.id ?? null;
    this.list.push(
      newMessage({ id, role, kind, timestamp: row.time, blocks, source: [row.ref], extra, inherited, turn_id }),
    );
    this.places.push({ file: row.ref.file, ordinal: row.ordinal });
    if (!this.byId.has(id)) this.byId.set(id, index);
    // A prompt may begin another turn, of which it is the first message.
    if (item.kind !== 'prompt') this.turns.message(index);
    return index;
  }

  /** A message that no item holds: as it was shown, or inside another row. */
  addText(row: Row, given: Pick<Item, 'role' | 'kind' | 'turn_id'>, block: OutlineBlock): number {
    const rest = { id: undefined, type: 'event', text: '', call_id: undefined, name: undefined, extra: {} };
    return this.add({ ...rest, ...given, blocks: [block] }, row);
  }

  rename(index: number, id: string): void {
    const message = this.list[index];
    if (message === undefined || this.byId.has(id)) return;
    message.id = id;
    if (message.inherited !== null) message.inherited = { ...message.inherited, id };
    this.byId.set(id, index);
  }

  record(row: Row, known: boolean): Account {
    return this.entry({ native_type: row.native_type, known, copy: false, source: row.ref, timestamp: row.time });
  }

  /** A line that only repeats what is there. */
  copy(row: Row): Account {
    return this.entry({ native_type: row.native_type, known: true, copy: true, source: row.ref, timestamp: row.time });
  }

  /** A line that is no JSON object. */
  stray(source: SourceRef): Account {
    return this.entry({ native_type: 'unknown', known: false, copy: false, source, timestamp: null });
  }

  /** Takes the last message back: its row was a copy of what another row tells. */
  takeBack(row: Row): void {
    const message = this.list.pop();
    this.places.pop();
    if (message !== undefined) this.byId.delete(message.id);
    const index = this.list.length;
    this.turns.forget(index);
    const after_message_index = index === 0 ? null : index - 1;
    for (const record of this.records)
      if (record.after_message_index === index) record.after_message_index = after_message_index;
    if (this.owner !== null) return;
    const { accounting } = this.head.head;
    accounting.message--;
    accounting.copy++;
    const { file, offset } = row.ref;
    const at = this.records.findIndex(({ source }) => source.file === file && source.offset > offset);
    const { native_type, ref: source, time: timestamp } = row;
    const record = { native_type, known: true, copy: true, after_message_index, timestamp, source };
    this.records.splice(at === -1 ? this.records.length : at, 0, record);
  }

  makeContent(): void {
    const { held } = this;
    if (held === null) return;
    const rows = { row: (ref: SourceRef) => held[ref.file]?.get(ref.offset) ?? null };
    for (const message of this.list) message.content = contentOf(message, rows);
  }

  /** What a thread reads of another thread's file is in that thread's account. */
  private entry(entry: Omit<RecordEntry, 'after_message_index'>): Account {
    const { native_type, known, copy, timestamp, source } = entry;
    const after_message_index = this.list.length === 0 ? null : this.list.length - 1;
    const isOther = this.head.head.source.files[source.file]?.role === 'base';
    if (!isOther) this.records.push({ native_type, known, copy, after_message_index, timestamp, source });
    return copy ? 'copy' : known ? 'record' : 'unknown';
  }

  /** The address of an item that has no id: its file and line, and its place in the line. */
  private lineId(row: Row, item: Item): string {
    const { file, line, offset } = row.ref;
    const role = this.head.head.source.files[file]?.role ?? 'main';
    const inside = /\/(?:replacement_history|items)\/(\d+)/.exec(item.blocks[0]?.pointer ?? '')?.[1];
    const id = `${role}${file === 0 ? '' : `-${file}`}:${line}${inside === undefined ? '' : `/${inside}`}`;
    return this.byId.has(id) ? `${id}+${offset}` : id;
  }
}
