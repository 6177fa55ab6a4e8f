// A planned copy, written where the agent will look for it. The session that it is made of is only read.

import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FoundFamily } from '../ingest/home.ts';
import type { SessionReader } from '../ingest/session-reader.ts';
import type { NativeReport } from '../sources/source.ts';
import type { DraftBlock } from '../transform/draft.ts';
import type { ClonePlan } from '../transform/plan.ts';
import { plannedMessages } from '../transform/planned-messages.ts';

export interface CloneTarget {
  /** The folder in which the agent will be run; that of the session where null. */
  project: string | null;
  title: string;
  now: string;
  /** Ids of the new session and its rows, for tests. */
  newId?: () => string;
}

export interface WrittenClone {
  session_id: string;
  path: string;
  bytes: number;
}

/** What was made would not be resumed as planned: a fault of ours. Nothing was left behind. */
export class UnsoundClone extends Error {
  readonly faults: NativeReport['faults'];

  constructor(faults: NativeReport['faults']) {
    super(`The copy would not be resumed as planned: ${faults.map(({ message }) => message).join(' ')}`);
    this.faults = faults;
  }
}

/** Written beside its place, checked, and only then given its name: nobody ever sees half of it. */
export function writeClone(
  family: FoundFamily,
  session: SessionReader,
  plan: ClonePlan,
  target: CloneTarget,
): WrittenClone {
  const { writer } = family;
  if (writer === null) throw new Error(`Sessions of ${family.agent} cannot be written.`);
  const newId = target.newId ?? randomUUID;
  const id = newId();
  const path = writer.path(id, target.project);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(path), `.${id}.tmp`);
  try {
    const bytes = writeLines(temporary, linesOf(family, session, plan, { ...target, id, newId }));
    const faults = writer.check(temporary).faults.filter(isUnsound);
    if (faults.length > 0) throw new UnsoundClone(faults);
    renameSync(temporary, path);
    return { session_id: id, path, bytes };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** What the client would mend by itself must not be in a copy either; odd bytes inside of texts may: rows are copied as they are. */
function isUnsound({ effect, code }: NativeReport['faults'][number]): boolean {
  return effect !== 'normal' && code !== 'invalid-utf8';
}

function isCallLeftOut({ type, change }: DraftBlock): boolean {
  return type === 'tool_use' && change !== null;
}

/** The lines of the copy's file. */
export function linesOf(
  family: FoundFamily,
  session: SessionReader,
  { draft, model, before, after }: ClonePlan,
  given: { id: string; title: string; now: string; newId: () => string; project?: string | null },
): Iterable<Uint8Array> {
  const { summary } = draft;
  const tokens = { before: Math.round(before.total), after: Math.round(after.total) };
  return (
    family.writer?.lines({
      ...given,
      project: given.project ?? null,
      head: session.document.session,
      origin: session.document.session.id,
      estimate: { fixed: Math.round(model.fixed), scale: Math.round(model.scale * 1000) / 1000 },
      summary: summary === null ? null : { summary: summary.text, timestamp: summary.timestamp, tokens },
      leavesOutCalls: draft.messages.some(({ blocks }) => blocks.some(isCallLeftOut)) || summary !== null,
      messages: plannedMessages(draft, session),
      messageAt: (index) => (index < session.messageCount ? session.message(index) : undefined),
      records: session.records({ raw: false }),
      bytes: session.bytes,
    }) ?? []
  );
}

const CHUNK_BYTES = 1024 * 1024;

/** Only its owner may read it. It is on the disk before it gets its name. */
function writeLines(path: string, lines: Iterable<Uint8Array>): number {
  const file = openSync(path, 'wx', 0o600);
  let written = 0;
  let held: Uint8Array[] = [];
  let bytes = 0;
  const flush = () => {
    const chunk = Buffer.concat(held);
    for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
    written += chunk.length;
    held = [];
    bytes = 0;
  };
  try {
    for (const line of lines) {
      held.push(line);
      bytes += line.length;
      if (bytes >= CHUNK_BYTES) flush();
    }
    flush();
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return written;
}
