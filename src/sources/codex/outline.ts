// Pass 1: the files of a family → the outline of the thread, then those of its subagents.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import { jsonText } from '../../schema/json-text.ts';
import type { Outline } from '../../schema/outline.ts';
import { hashOf } from '../../schema/text-hash.ts';
import { openedOrNot } from '../head-rows.ts';
import { integerAt, isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import type { RowHandler } from '../jsonl.ts';
import { countLine, countType, newHead } from '../new-head.ts';
import { type Growing, growingBuilder, readOn } from '../read-on.ts';
import { smallText } from '../small-files.ts';
import type { Family, FamilyFile, Files, OutlineOptions } from '../source.ts';
import { copiedLines, isCopiedForSubagent } from './copied.ts';
import { DOCUMENT_BYTES, parentOf, type Rollout, rolloutOf } from './files.ts';
import { HeadFacts } from './head.ts';
import { isLittleEnough } from './little-enough.ts';
import type { Account, Owner } from './messages.ts';
import { isKnown } from './records.ts';
import { bareRow, type Row, rowFrom } from './rows.ts';
import { ThreadBuilder } from './thread-builder.ts';

export function outlineFamily(family: Family, port: Files, options: OutlineOptions): Outline[] {
  const threads = new Map<string, FamilyFile[]>();
  for (const file of family.files) {
    if (file.role === 'base' || file.session_id === null) continue;
    threads.set(file.session_id, [...(threads.get(file.session_id) ?? []), file]);
  }
  const bases = family.files.filter((file) => file.role === 'base');
  const outlines = [...threads].map(([id, own]) =>
    new ThreadFiles(id, own, id === family.id ? bases : [], family, port, options).outline(),
  );
  tie(outlines);
  return outlines;
}

class ThreadFiles {
  private readonly own: FamilyFile[];
  private readonly rollouts: Rollout[];
  private readonly bases: Rollout[];
  private readonly port: Files;
  private readonly options: OutlineOptions;
  private readonly newBuilder: () => ThreadBuilder;
  private readonly builder: ThreadBuilder;
  /** What the builder is made from, as a text. */
  private readonly made: string;
  private readonly first: JsonObject;
  /** Lines of the thread's own files, as numbers that hardly ever repeat: only where there are copies of files. */
  private readonly lines = new Set<number>();

  constructor(
    id: string,
    own: FamilyFile[],
    bases: FamilyFile[],
    family: Family,
    port: Files,
    options: OutlineOptions,
  ) {
    this.own = own;
    this.port = port;
    const rolloutFor = ({ info }: FamilyFile): Rollout =>
      rolloutOf(info, port) ?? { info, thread_id: id, rollout_id: id, meta: {} };
    this.rollouts = own.map(rolloutFor);
    this.first = this.rollouts[0]?.meta ?? {};
    const parent = parentOf(this.first);
    const parents = family.files.filter(
      ({ role, session_id }) => session_id === parent && (role === 'main' || role === 'subagent'),
    );
    this.bases = (parent === undefined ? bases : parents).map(rolloutFor);
    const used = this.hasBase() ? this.bases.map(({ info }) => ({ info, role: 'base' as const })) : [];
    const files = [...own, ...used];
    this.options = options;
    this.newBuilder = () => new ThreadBuilder(headOf(id, this.first, files, family.id), options);
    this.builder = this.newBuilder();
    this.made = JSON.stringify([family.id, id, this.first, files.map(({ info, role }) => [info.path, role])]);
  }

  outline(): Outline {
    this.readBases();
    this.own.forEach((file, index) => {
      if (file.role === 'copy') this.readCopy(index);
      else this.readOwn(file, index);
    });
    return this.builder.finish();
  }

  private hasBase(): boolean {
    return objectAt(this.first, 'history_base') !== undefined;
  }

  /** A fork copies nothing (0.145 on): it names a file and where to stop reading it, and that file may do the same. */
  private readBases(): void {
    const chain: { rollout: Rollout; end: number; base: JsonObject; file: number }[] = [];
    let meta: JsonObject | undefined = this.first;
    let end = Number.POSITIVE_INFINITY;
    while (meta !== undefined && chain.length <= this.bases.length) {
      const base = objectAt(meta, 'history_base');
      if (base === undefined) break;
      const wanted = stringAt(base, 'thread_id') ?? '';
      end = Math.min(end, integerAt(base, 'end_ordinal_exclusive') ?? Number.POSITIVE_INFINITY);
      const at = this.bases.findIndex((candidate) => candidate.rollout_id === wanted);
      const rollout = this.bases[at];
      if (rollout === undefined) {
        this.missing(wanted);
        break;
      }
      chain.unshift({ rollout, end, base, file: this.own.length + at });
      meta = rollout.meta;
    }
    for (const { rollout, end: stop, base, file } of chain) {
      const session_id = rollout.thread_id;
      this.read(rollout.info.path, file, (row, value) => {
        if (row.ordinal === null || row.ordinal >= stop) return undefined;
        this.builder.take(row, value, { session_id, idOf: ({ ref }) => `main:${ref.line}` });
        return undefined;
      });
      this.assertCut(rollout.info.path, base);
    }
  }

  private readOwn(file: FamilyFile, index: number): void {
    const rollout = this.rollouts[index];
    const ownerOf = index === 0 ? this.inheritedRows(file) : () => null;
    const hasCopies = this.own.some(({ role }) => role === 'copy');
    this.read(file.info.path, index, (row, value) => {
      if (file.role === 'revert' && row.ref.line === 1 && rollout !== undefined) this.revert(row, rollout);
      if (hasCopies) this.lines.add(hashOf(jsonText(value)));
      return this.builder.take(row, value, ownerOf(row));
    });
  }

  private revert(row: Row, { meta, rollout_id }: Rollout): void {
    const cuts = this.cuts(meta);
    const base = objectAt(meta, 'history_base');
    const path = [...this.rollouts, ...this.bases][cuts[0]?.file ?? -1]?.info.path;
    if (base !== undefined && path !== undefined) this.assertCut(path, base);
    this.builder.revert(row, cuts, rollout_id);
  }

  /** Which rows of a thread's own file tell of its parent. */
  private inheritedRows(file: FamilyFile): (row: Row) => Owner {
    const start = integerAt(this.first, 'subagent_history_start_ordinal');
    const parent = parentOf(this.first) ?? stringAt(this.first, 'forked_from_id');
    if (parent === undefined || this.hasBase()) return () => null;
    if (start !== null) {
      const owner: Owner = { session_id: parent, idOf: ({ ref }) => `main:${ref.line - 1}` };
      return (row) => (isCopiedForSubagent(row, start) ? owner : null);
    }
    const base = this.bases.find((rollout) => rollout.thread_id === parent);
    const kind = parentOf(this.first) === undefined ? 'fork' : 'subagent';
    const copied = copiedLines(this.port, file.info.path, base?.info.path, parent, kind);
    const owner: Owner = { session_id: parent, idOf: ({ ref }) => `main:${ref.line - 1}` };
    return (row) => (row.ref.line > 1 && row.ref.line <= copied ? owner : null);
  }

  /**
   * What the rows of the thread's only file become; null where other files have a part in it, or lines that were copied from the parent
   * are told only by comparing.
   */
  private growing(): Growing | null {
    const parent = parentOf(this.first) ?? stringAt(this.first, 'forked_from_id');
    const isCompared = parent !== undefined && integerAt(this.first, 'subagent_history_start_ordinal') === null;
    const isAlone = this.own.length === 1 && this.own[0]?.info.path.endsWith('.jsonl') === true;
    if (!isAlone || this.hasBase() || isCompared) return null;
    return growingBuilder(this.builder, this.made, this.newBuilder);
  }

  /** What a rewound file keeps: of each file before it, the ordinals below the cut. */
  private cuts(meta: JsonObject): { file: number; end: number }[] {
    const cuts: { file: number; end: number }[] = [];
    let at: JsonObject | undefined = meta;
    let end = Number.POSITIVE_INFINITY;
    while (at !== undefined && cuts.length <= this.own.length + this.bases.length) {
      const base = objectAt(at, 'history_base');
      if (base === undefined) break;
      end = Math.min(end, integerAt(base, 'end_ordinal_exclusive') ?? Number.POSITIVE_INFINITY);
      const all = [...this.rollouts, ...this.bases];
      const file = all.findIndex((rollout) => rollout.rollout_id === stringAt(base, 'thread_id'));
      if (file === -1) break;
      cuts.push({ file, end });
      at = all[file]?.meta;
    }
    return cuts;
  }

  /** The same file again, archived or compressed: what it repeats is a copy; what only it holds goes on the thread. */
  private readCopy(index: number): void {
    const path = this.own[index]?.info.path ?? '';
    this.read(path, index, (row, value) =>
      this.lines.has(hashOf(jsonText(value))) ? this.builder.messages.copy(row) : this.builder.take(row, value, null),
    );
  }

  /** Every row of a file, with the account of its line; files of other threads are in no account. */
  private read(path: string, file: number, take: (row: Row, value: Json) => Account | undefined): void {
    const { head, diagnostics } = this.builder;
    const { accounting } = head.head;
    const isOwn = file < this.own.length;
    const taken = (value: Json, ref: SourceRef, first: boolean, row: Row | undefined) => {
      if (isOwn) countType(head.head, row?.native_type ?? 'unknown', row !== undefined && isKnown(row));
      const account = row === undefined ? (isOwn ? this.builder.messages.stray(ref) : undefined) : take(row, value);
      if (first && isOwn && account !== undefined) countLine(accounting, account);
    };
    if (path.endsWith('.json')) {
      const rows = documentRows(this.port, path, file);
      if (rows === undefined) {
        diagnostics.push({
          code: 'bad-json',
          message: `${path} is not JSON; nothing of it could be read.`,
          source: null,
        });
        return;
      }
      if (isOwn) accounting.lines += rows.length;
      for (const { row, value } of rows) taken(value, row.ref, true, row);
      return;
    }
    const handler: RowHandler = {
      isLittleEnough: this.options.said === true ? isLittleEnough : undefined,
      row: (value, ref, first) => taken(value, ref, first, rowFrom(value, ref)),
      bad: () => {
        if (isOwn) accounting.bad++;
      },
      blank: () => {
        if (isOwn) accounting.blank++;
      },
      trouble: (diagnostic) => {
        // Of another thread's file, only that it could not be read matters here.
        if (isOwn || diagnostic.code === 'unreadable-file') diagnostics.push(diagnostic);
        if (diagnostic.source !== null && TORN.has(diagnostic.code)) this.builder.damage(diagnostic.source);
      },
    };
    const lines = readOn(this.port, path, file, handler, isOwn ? this.growing() : null, this.options);
    if (isOwn) accounting.lines += lines;
  }

  private missing(rollout: string): void {
    this.builder.withoutBase();
    this.builder.diagnostics.push({
      code: 'missing-base',
      message: `The session goes on from rollout ${rollout}, which is not here: what was said before the fork cannot be shown.`,
      source: null,
    });
  }

  /** `end_byte_offset` says in bytes where the ordinal is: if it does not, the file is not what it was. */
  private assertCut(path: string, base: JsonObject): void {
    const [ordinal, offset] = [integerAt(base, 'end_ordinal_exclusive'), integerAt(base, 'end_byte_offset')];
    if (ordinal === null || offset === null || isCut(this.port, path, ordinal, offset)) return;
    this.builder.diagnostics.push({
      code: 'base-changed',
      message: `${path} should be cut at byte ${offset} for this session, before ordinal ${ordinal}, which is not there: it was changed since.`,
      source: null,
    });
  }
}

/** Something of the line is lost; the rest of it may have been read. */
const TORN = new Set(['bad-json', 'torn-line', 'glued-line']);

/** A line begins at that place, with that ordinal; or the file ends there. A file that cannot be read is told elsewhere. */
function isCut(port: Files, path: string, ordinal: number, offset: number): boolean {
  const open = openedOrNot(port, path);
  if (open === undefined) return true;
  try {
    const bytes = Buffer.alloc(256);
    const text = bytes.toString('latin1', 0, open.read(bytes, Math.max(0, offset - 1)));
    const begins = offset === 0 || text.startsWith('\n');
    return begins && (offset === open.size || Number(/"ordinal":(\d+)/.exec(text)?.[1]) === ordinal);
  } finally {
    open.close();
  }
}

/** The TypeScript client (2025) wrote one document: the session, and a list of items. The session and each item count as lines. */
function documentRows(port: Files, path: string, file: number): { row: Row; value: Json }[] | undefined {
  const text = smallText(port, path, DOCUMENT_BYTES) ?? '';
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const at = (pointer: string) => ({ file, line: 1, offset: 0, length: Buffer.byteLength(text), pointer });
  const session = objectAt(value, 'session') ?? {};
  const items = Array.isArray(value.items) ? value.items : [];
  const head: Row = { ...bareRow(session, at('/session'), '/session'), type: 'session_meta', native_type: 'header' };
  const rows = items.map((item, i) => bareRow(isObject(item) ? item : {}, at(`/items/${i}`), `/items/${i}`));
  return [head, ...rows].map((row) => ({ row, value }));
}

/** Ties subagents to their calls, from whichever side tells. */
function tie(outlines: Outline[]): void {
  for (const outline of outlines) {
    const { parent } = outline.head.lineage;
    if (parent === null) continue;
    const caller = outlines.find((other) => other.head.id === parent.session_id);
    const call = caller?.outcomes.find((outcome) => outcome.subagent_session_id === outline.head.id);
    parent.tool_call_id = call?.tool_use_id ?? null;
    caller?.head.lineage.subagents.push(outline.head.id);
  }
}

function headOf(id: string, meta: JsonObject, files: Pick<FamilyFile, 'info' | 'role'>[], root: string): HeadFacts {
  const parent = parentOf(meta);
  const isHelper =
    parent === undefined && objectAt(meta, 'source') !== undefined && 'subagent' in (objectAt(meta, 'source') ?? {});
  const kind = parent !== undefined || id !== root ? 'subagent' : isHelper ? 'helper' : 'main';
  const started = kind === 'subagent' ? (parent ?? root) : null;
  const head = newHead({ id, agent: 'codex', kind, dialect: 'legacy', files, parent: started });
  if (kind !== 'subagent') head.lineage.forked_from = stringAt(meta, 'forked_from_id') ?? null;
  return new HeadFacts(head);
}
