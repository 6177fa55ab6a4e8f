// Pass 1 over a family: the main session's rows, and its subagents in the four ways in which
// they have been written: inline sidechains (1.0.x), files beside the session (2.0.x), files
// below it (2.1.x), and copies inside progress rows (2.1.7 to 2.1.63).

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { Outline } from '../../schema/outline.ts';
import type { Diagnostic } from '../../schema/session.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { lastTimes } from '../last-times.ts';
import { countLine, newHead } from '../new-head.ts';
import { type Growing, growingBuilder, readOn } from '../read-on.ts';
import { smallJson, smallText } from '../small-files.ts';
import type { Family, FamilyFile, Files, OutlineOptions } from '../source.ts';
import { HeadFacts } from './head.ts';
import { isLittleEnough } from './little-enough.ts';
import { textOf } from './rows.ts';
import { type Account, SessionBuilder } from './session-builder.ts';

export function outlineFamily(family: Family, port: Files, options: OutlineOptions): Outline[] {
  return new FamilyReader(family, port, options).read();
}

class FamilyReader {
  private readonly family: Family;
  private readonly port: Files;
  private readonly options: OutlineOptions;
  private readonly main: SessionBuilder;
  private readonly mainFiles: FamilyFile[];
  /** Subagents that have no file of their own, by agent id or by the row they begin with. */
  private readonly inline = new Map<string, { builder: SessionBuilder; call: string | null; prompt: string }>();
  private readonly partOfRow = new Map<string, string>();
  private readonly agentOfCall = new Map<string, string>();

  constructor(family: Family, port: Files, options: OutlineOptions) {
    this.family = family;
    this.port = port;
    this.options = options;
    this.mainFiles = orderedByStart(
      family.files.filter(
        (file) => file.role !== 'subagent' && (file.role !== 'companion' || file.session_id === null),
      ),
      port,
    );
    this.main = new SessionBuilder(headOf(family.id, 'main', this.mainFiles, null), options);
  }

  read(): Outline[] {
    this.mainFiles.forEach((file, index) => {
      if (file.role === 'main' || file.role === 'copy')
        this.readFile(file, index, this.main, (row, ref) => this.mainRow(row, ref), this.growing());
    });
    this.companions();
    const main = this.main.finish();
    const inline = this.inlineOutlines();
    const subagents = [...inline, ...this.ownFiles()];
    const all = [main, ...subagents];
    for (const subagent of subagents) this.tie(all, subagent);
    for (const subagent of inline) endAsTold(all, subagent);
    for (const outline of all) outline.head.lineage.subagents = childrenOf(outline, subagents);
    this.memorySummary(main);
    const hasMain = this.mainFiles.some((file) => file.role === 'main');
    return hasMain ? [main, ...subagents] : subagents;
  }

  private readFile(
    file: FamilyFile,
    index: number,
    builder: SessionBuilder,
    take: (row: Json, ref: SourceRef) => Account,
    growing: Growing | null,
  ): void {
    const { accounting } = builder.head.head;
    const handler = {
      row: (row: Json, ref: SourceRef, first: boolean) => {
        const account = take(row, ref);
        if (first) countLine(accounting, account);
      },
      bad: () => accounting.bad++,
      blank: () => accounting.blank++,
      trouble: (diagnostic: Diagnostic) => builder.diagnostics.push(diagnostic),
      isLittleEnough: this.options.said === true ? isLittleEnough : undefined,
    };
    accounting.lines += readOn(this.port, file.info.path, index, handler, growing, this.options);
  }

  /** What the rows of the session's own file become, subagents among them; null where it lies in several files. */
  private growing(): Growing | null {
    const { family, main, inline, partOfRow, agentOfCall } = this;
    if (this.mainFiles.filter(({ role }) => role === 'main' || role === 'copy').length !== 1) return null;
    const builders = () => [main, ...[...inline.values()].map(({ builder }) => builder)];
    return {
      made: `${family.id}\n${filesAsText(family.files)}`,
      state: { main, inline, partOfRow, agentOfCall },
      given: () => builders().map(({ head }) => head.head.source),
      texts: () => builders().flatMap((builder) => builder.heldTexts()),
      begun: () => [...inline.keys()],
      begin: (part) => this.inlinePart(part, {}, null),
      fresh: () => new FamilyReader(family, this.port, this.options).growing(),
    };
  }

  private mainRow(row: Json, ref: SourceRef): Account {
    if (!isObject(row)) return this.main.take(row, ref);
    if (row.isSidechain === true) return this.sidechainRow(row, ref);
    const progress = row.type === 'progress' ? objectAt(row, 'data') : undefined;
    if (progress?.type === 'agent_progress') return this.progressRow(row, progress, ref);
    if (progress?.type === 'bash_progress') this.runs(row, ref);
    return this.main.take(row, ref);
  }

  /** A subagent's row in the session's own file. Its first row hangs on nothing. */
  private sidechainRow(row: JsonObject, ref: SourceRef): Account {
    const uuid = stringAt(row, 'uuid');
    const parent = stringAt(row, 'parentUuid');
    const part = stringAt(row, 'agentId') ?? this.partOfRow.get(parent ?? '') ?? uuid ?? `line-${ref.line}`;
    if (uuid !== undefined) this.partOfRow.set(uuid, part);
    if (this.hasFile(part)) return this.main.foreign(row, ref);
    this.inlineRow(this.inlinePart(part, row, null), row, ref);
    return this.main.foreign(row, ref);
  }

  /** The whole message of a subagent inside `data.message`. */
  private progressRow(row: JsonObject, progress: JsonObject, ref: SourceRef): Account {
    const agent = stringAt(progress, 'agentId');
    const message = objectAt(progress, 'message');
    const call = this.runs(row, ref);
    if (agent !== undefined && message !== undefined && !this.hasFile(agent)) {
      const { cwd, version, gitBranch, sessionId } = row;
      const inner = { ...given({ cwd, version, gitBranch, sessionId }), ...message, isSidechain: true };
      // One call, one subagent: in sanitised files the agent's id changes from row to row.
      const part = (call === null ? undefined : this.agentOfCall.get(call)) ?? agent;
      if (call !== null) this.agentOfCall.set(call, part);
      this.inlineRow(this.inlinePart(part, inner, call), inner, { ...ref, pointer: '/data/message' });
    }
    return this.main.take(row, ref);
  }

  /** What stands inline of a subagent that has its own file is a copy. */
  private hasFile(agent: string): boolean {
    return this.family.files.some((file) => file.role === 'subagent' && file.session_id === agent);
  }

  /** What tells how a call gets on tells that it runs. Gives the call. */
  private runs(row: JsonObject, ref: SourceRef): string | null {
    const call = stringAt(row, 'parentToolUseID') ?? null;
    if (call !== null) this.main.toolCalls.progress(call, ref);
    return call;
  }

  /** A line of the session's file counts there as a record, and here as what it is. */
  private inlineRow(builder: SessionBuilder, row: JsonObject, ref: SourceRef): void {
    const { accounting } = builder.head.head;
    accounting.lines++;
    countLine(accounting, builder.take(row, ref));
  }

  private inlinePart(part: string, first: JsonObject, call: string | null): SessionBuilder {
    const known = this.inline.get(part);
    if (known !== undefined) return known.builder;
    const id = inlineId(part, this.family.id);
    const builder = new SessionBuilder(headOf(id, 'subagent', this.mainFiles, this.family.id), this.options);
    this.inline.set(part, { builder, call, prompt: textOf(first) });
    return builder;
  }

  private inlineOutlines(): Outline[] {
    const calls = [...this.main.agentCalls];
    return [...this.inline.values()].map(({ builder, call, prompt }) => {
      const outline = builder.finish();
      // Inline subagents carry no call id: the call whose prompt is their first message.
      const at = calls.findIndex((candidate) => candidate.prompt === prompt);
      const found = at === -1 ? null : (calls.splice(at, 1)[0]?.tool_use_id ?? null);
      setParent(outline, this.family.id, call ?? found);
      return outline;
    });
  }

  private ownFiles(): Outline[] {
    const own = new Map<string, FamilyFile[]>();
    for (const file of this.family.files) {
      if (file.session_id === null || file.role === 'main' || file.role === 'copy') continue;
      own.set(file.session_id, [...(own.get(file.session_id) ?? []), file]);
    }
    return [...own].flatMap(([id, files]) => {
      const ordered = files.sort((a, b) => Number(a.role === 'companion') - Number(b.role === 'companion'));
      if (ordered[0]?.role === 'companion') return [];
      const newBuilder = () => new SessionBuilder(headOf(id, 'subagent', ordered, this.family.id), this.options);
      const builder = newBuilder();
      const made = `${this.family.id} ${id}\n${filesAsText(ordered)}`;
      const isAlone = ordered.filter(({ role }) => role === 'subagent').length === 1;
      const growing = isAlone ? growingBuilder(builder, made, newBuilder) : null;
      ordered.forEach((file, index) => {
        if (file.role === 'subagent')
          this.readFile(file, index, builder, (row, ref) => builder.take(row, ref), growing);
      });
      const outline = builder.finish();
      this.meta(outline, ordered);
      return [outline];
    });
  }

  /** `.meta.json` beside a subagent's file: who it is, and the call that started it. */
  private meta(outline: Outline, files: FamilyFile[]): void {
    const file = files.find((candidate) => candidate.role === 'companion');
    const meta = file === undefined ? undefined : smallJson(this.port, file.info.path);
    if (meta === undefined) return;
    setParent(outline, this.family.id, stringAt(meta, 'toolUseId') ?? null);
    for (const [native, ours] of [
      ['agentType', 'agent_type'],
      ['description', 'description'],
      ['finished', 'finished'],
    ] as const) {
      if (meta[native] !== undefined) outline.head.extra[ours] = meta[native];
    }
  }

  /** Ties a subagent to its call, from whichever side tells; the call may be another subagent's. */
  private tie(all: Outline[], subagent: Outline): void {
    const { parent } = subagent.head.lineage;
    if (parent === null) return;
    let isAnswered = false;
    for (const outline of all) {
      if (outline === subagent) continue;
      const outcome = outline.outcomes.find(
        (candidate) =>
          candidate.subagent_session_id === subagent.head.id || candidate.tool_use_id === (parent.tool_call_id ?? ''),
      );
      if (outcome === undefined) continue;
      isAnswered = true;
      outcome.subagent_session_id = subagent.head.id;
      parent.tool_call_id ??= outcome.tool_use_id;
      parent.session_id = outline.head.id;
    }
    if (!isAnswered) tieUnanswered(all, subagent);
    // 2.0.x starts "Warmup" agents by itself: one reply, no call, nobody who asked for it.
    const calls = subagent.messages.some((message) => message.blocks.some((block) => block.type === 'tool_use'));
    const idle = subagent.messages.length <= 2 && !calls;
    const hasMain = this.mainFiles.some((file) => file.role === 'main');
    if (parent.tool_call_id === null && idle && hasMain) subagent.head.kind = 'helper';
  }

  private companions(): void {
    for (const file of this.mainFiles) {
      if (!file.info.path.endsWith('/custom-title.json')) continue;
      const title = stringAt(smallJson(this.port, file.info.path), 'customTitle');
      if (title !== undefined) this.main.head.customTitle(title);
    }
  }

  /** Old versions kept the summary of a compaction in a file beside the session. */
  private memorySummary(main: Outline): void {
    const file = this.mainFiles.find((candidate) => candidate.info.path.endsWith('/session-memory/summary.md'));
    const last = main.signals.findLast((signal) => signal.name === 'context-compacted' && signal.scope === 'full');
    if (file === undefined || last?.name !== 'context-compacted' || last.summary_index !== null) return;
    last.summary = smallText(this.port, file.info.path) ?? null;
    last.summary_source = last.summary === null ? null : 'session-memory';
  }
}

/** Which files they are, whatever their sizes. */
function filesAsText(files: FamilyFile[]): string {
  return files.map(({ info, role, session_id }) => `${info.path} ${role} ${session_id}`).join('\n');
}

/** The id of a subagent that has no file: its own name, or the row that it begins with. */
export function inlineId(part: string, familyId: string): string {
  return /^[0-9a-f]{8}-/.test(part) || part.startsWith('line-') ? `${familyId}/${part}` : part;
}

/** A session that lies in several files is read from the one begun first. The family stays as it is: others ask it, too, and may have done so before. */
function orderedByStart(files: FamilyFile[], port: Files): FamilyFile[] {
  const isOwn = ({ role }: FamilyFile) => role === 'main' || role === 'copy';
  const own = files.filter(isOwn);
  if (own.length < 2) return files;
  const started = new Map(own.map((file) => [file, lastTimeOf(port, file.info.path)]));
  const rank = (file: FamilyFile) => started.get(file) ?? (file.role === 'companion' ? '~~' : '~');
  const ordered = files.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  const first = ordered.find(isOwn);
  return ordered.map((file) => (isOwn(file) ? { ...file, role: file === first ? 'main' : 'copy' } : file));
}

/** Of two files that begin with the same rows, the one that was left first is the older. */
function lastTimeOf(port: Files, path: string): string {
  return lastTimes(port, path).sort().at(-1) ?? '';
}

/** A call that has no result is tied to its subagent all the same. */
function tieUnanswered(all: Outline[], { head }: Outline): void {
  const { parent } = head.lineage;
  const call = parent?.tool_call_id ?? null;
  if (parent === null || call === null) return;
  const caller = all.find((outline) => outline.head.id !== head.id && asks(outline, call));
  if (caller === undefined) return;
  caller.call_subagents = new Map([...(caller.call_subagents ?? []), [call, head.id]]);
  parent.session_id = caller.head.id;
}

function asks({ messages }: Outline, call: string): boolean {
  return messages.some(({ blocks }) =>
    blocks.some(({ type, tool_use_id }) => type === 'tool_use' && tool_use_id === call),
  );
}

/** Of what a subagent said in rows of progress, its last words are only in its result: with that it was done. */
function endAsTold(all: Outline[], { head, messages }: Outline): void {
  const outcomes = all.flatMap((outline) => outline.outcomes);
  const told = outcomes.find(({ subagent_session_id }) => subagent_session_id === head.id);
  const last = told?.status === 'ok' ? messages.findLast(({ kind }) => kind === 'reply') : undefined;
  if (last !== undefined) last.ends_turn = true;
}

function childrenOf(outline: Outline, subagents: Outline[]): string[] {
  return subagents
    .filter(({ head }) => head.kind === 'subagent' && head.lineage.parent?.session_id === outline.head.id)
    .map(({ head }) => head.id);
}

function given(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function setParent(outline: Outline, session_id: string, tool_call_id: string | null): void {
  outline.head.lineage.parent = { session_id, tool_call_id };
}

function headOf(id: string, kind: 'main' | 'subagent', files: FamilyFile[], parent: string | null): HeadFacts {
  return new HeadFacts(newHead({ id, agent: 'claude-code', kind, dialect: 'jsonl', files, parent }));
}
