// A row with some of its values changed and every other byte as it was. The row is not parsed: only the places of the
// values that are asked for are looked up.

/** Where a key and its value stand in the bytes of a row. */
interface Member {
  key: string;
  /** From the key's quote on. */
  from: number;
  valueFrom: number;
  /** Behind the value. */
  to: number;
}

/** A place in the bytes, and what stands there instead. */
interface Splice {
  from: number;
  to: number;
  text: string;
}

/** New values as JSON texts; null takes the key away. */
export type Values = Record<string, string | null>;

interface RowEdit {
  /** A key that is not there is put in front. */
  set?: Values;
  /** Only where the key is there. */
  change?: Values;
  /** The same for the object under `message`. */
  message?: Values;
  /** Of the list `message.content`, by place: another entry, made of the text of the one that stands there; or null for none. */
  content?: Map<number, EntryEdit>;
}

export type EntryEdit = ((entry: string) => string) | null;

/** A row that is looked into without being parsed. */
export interface RawRow {
  keys(): string[];
  /** The JSON text of one of the row's own values; undefined where it has none of that name. */
  text(key: string): string | undefined;
  string(key: string): string | undefined;
  edited(edit: RowEdit): Buffer;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

export function rawRow(bytes: Buffer): RawRow {
  const root = skipSpace(bytes, 0);
  const members = membersOf(bytes, root);
  const last = (key: string) => members.findLast((member) => member.key === key);
  const text = (key: string) => {
    const member = last(key);
    return member === undefined ? undefined : bytes.toString('utf8', member.valueFrom, member.to);
  };
  return {
    keys: () => members.map(({ key }) => key),
    text,
    string: (key) => {
      const value = text(key);
      return value?.startsWith('"') ? (JSON.parse(value) as string) : undefined;
    },
    edited: (edit) => {
      const splices = valueSplices(members, { ...edit.change, ...edit.set });
      splices.push(...missing(members, edit.set ?? {}, root));
      const message = last('message')?.valueFrom;
      if (message !== undefined && bytes[message] === OPEN_OBJECT)
        splices.push(...messageSplices(bytes, message, edit));
      return spliced(bytes, splices);
    },
  };
}

function messageSplices(bytes: Buffer, at: number, { message, content }: RowEdit): Splice[] {
  if (message === undefined && content === undefined) return [];
  const members = membersOf(bytes, at);
  const splices = valueSplices(members, message ?? {});
  const list = members.findLast(({ key }) => key === 'content')?.valueFrom;
  if (content !== undefined && list !== undefined && bytes[list] === OPEN_LIST)
    splices.push(...entrySplices(bytes, list, content));
  return splices;
}

function entrySplices(bytes: Buffer, list: number, content: Map<number, EntryEdit>): Splice[] {
  const entries = entriesOf(bytes, list);
  return listSplices(entries, (place) => {
    const edit = content.get(place);
    if (edit === undefined || edit === null) return edit;
    const { from, to } = entries[place] as Omit<Member, 'key'>; // asked for by its place in the list
    return edit(bytes.toString('utf8', from, to));
  });
}

function valueSplices(members: Member[], values: Values): Splice[] {
  return listSplices(members, (place) => {
    const { key } = members[place] as Member; // asked for by its place in the list
    return Object.hasOwn(values, key) ? values[key] : undefined;
  });
}

/** In front of the first key: every row of a message has others, so the comma is right. */
function missing(members: Member[], values: Values, root: number): Splice[] {
  const known = new Set(members.map(({ key }) => key));
  const fresh = Object.entries(values).filter(([key, text]) => text !== null && !known.has(key));
  const text = fresh.map(([key, value]) => `${JSON.stringify(key)}:${value},`).join('');
  return text === '' ? [] : [{ from: root + 1, to: root + 1, text }];
}

/** Entries of a list or members of an object with new values; where one goes, a comma goes with it. */
function listSplices(
  items: readonly { from: number; valueFrom: number; to: number }[],
  textOf: (place: number) => string | null | undefined,
): Splice[] {
  const splices: Splice[] = [];
  const texts = items.map((_, place) => textOf(place));
  const isShorter = texts.includes(null);
  let hasBefore = false;
  items.forEach(({ from, valueFrom, to }, place) => {
    const text = texts[place];
    const behind = items[place - 1]?.to ?? from;
    if (text === null) {
      splices.push({ from: behind, to, text: '' });
      return;
    }
    if (isShorter && place > 0) splices.push({ from: behind, to: from, text: hasBefore ? ',' : '' });
    if (text !== undefined) splices.push({ from: valueFrom, to, text });
    hasBefore = true;
  });
  return splices;
}

function spliced(bytes: Buffer, splices: Splice[]): Buffer {
  if (splices.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { from, to, text } of splices.sort((a, b) => a.from - b.from || a.to - b.to)) {
    pieces.push(bytes.subarray(at, from), Buffer.from(text));
    at = to;
  }
  pieces.push(bytes.subarray(at));
  return Buffer.concat(pieces);
}

/** The keys of the object that begins at `at`. */
function membersOf(bytes: Buffer, at: number): Member[] {
  const members: Member[] = [];
  if (bytes[at] !== OPEN_OBJECT) return members;
  let i = skipSpace(bytes, at + 1);
  while (i < bytes.length && bytes[i] === QUOTE) {
    const keyEnd = skipString(bytes, i);
    const valueFrom = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1); // the colon
    if (bytes[skipSpace(bytes, keyEnd)] !== COLON) break;
    const to = skipValue(bytes, valueFrom);
    members.push({ key: keyOf(bytes, i, keyEnd), from: i, valueFrom, to });
    i = skipSpace(bytes, to);
    if (bytes[i] !== COMMA) break;
    i = skipSpace(bytes, i + 1);
  }
  return members;
}

function keyOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from + 1, to - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

function entriesOf(bytes: Buffer, at: number): Omit<Member, 'key'>[] {
  const entries: Omit<Member, 'key'>[] = [];
  let i = skipSpace(bytes, at + 1);
  while (i < bytes.length && bytes[i] !== CLOSE_LIST) {
    const to = skipValue(bytes, i);
    entries.push({ from: i, valueFrom: i, to });
    i = skipSpace(bytes, to);
    if (bytes[i] !== COMMA) break;
    i = skipSpace(bytes, i + 1);
  }
  return entries;
}

function skipSpace(bytes: Buffer, from: number): number {
  let i = from;
  // NUL bytes that a crash left between values are left out where rows are read: see jsonl.ts.
  while (bytes[i] === 0x20 || bytes[i] === 0x09 || bytes[i] === 0x0d || bytes[i] === 0x0a || bytes[i] === 0) i++;
  return i;
}

/** Behind the string that begins at `from`. */
function skipString(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(QUOTE, from + 1);
  while (at !== -1) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
    at = bytes.indexOf(QUOTE, at + 1);
  }
  return bytes.length;
}

function skipValue(bytes: Buffer, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return skipNested(bytes, from);
  let i = from;
  while (i < bytes.length) {
    const byte = bytes[i];
    if (
      byte === COMMA ||
      byte === CLOSE_OBJECT ||
      byte === CLOSE_LIST ||
      byte === 0x20 ||
      byte === 0x0a ||
      byte === 0x0d
    )
      break;
    i++;
  }
  return i;
}

function skipNested(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = skipString(bytes, i) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return bytes.length;
}
