// What must hold of every copy of a session, whatever it is made of: it is sound, and reads as planned.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CloneOptions,
  cloneTitle,
  type FoundFamily,
  linesOf,
  openFile,
  PRESETS,
  planClone,
  plannedBlocks,
  type SessionReader,
} from '../src/index.ts';

const WAYS: Record<string, CloneOptions> = {
  whole: {},
  ...Object.fromEntries(Object.entries(PRESETS).map(([name, { options }]) => [name, options])),
  'to a budget': { budget: 40_000, keepLast: 1 },
};

const ID = '0000c0b7-0000-4000-8000-000000000000';

/** What is wrong with the copies of a session, made in every way; one entry for each copy, empty where it is fine. */
export function cloneFaults(family: FoundFamily): string[] {
  const open = family.open();
  try {
    const [session] = open.sessions;
    if (session === undefined || family.writer === null || session.document.session.kind !== 'main') return [];
    return Object.entries(WAYS).flatMap(([way, options]) => {
      const fault = faultOf(family, session, options);
      return fault === null ? [] : [fault === '' ? '' : `copied ${way}: ${fault}`];
    });
  } finally {
    open.close();
  }
}

/** Null where there is nothing to copy: no message that the model still sees. */
function faultOf(family: FoundFamily, session: SessionReader, options: CloneOptions): string | null {
  const plan = planClone(session, options);
  if (plan.draft.messages.length === 0 && plan.draft.summary === null) return null;
  let count = 0;
  const newId = () => `0000c0b7-0000-4000-8001-${String(count++).padStart(12, '0')}`;
  const given = { id: ID, title: cloneTitle(session, plan), now: '2026-10-01T00:00:00.000Z', newId };
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-clone-'));
  const path = join(folder, `${ID}.jsonl`);
  try {
    writeFileSync(path, Buffer.concat([...linesOf(family, session, plan, given)]));
    const [fault] = (family.writer?.check(path).faults ?? []).filter(
      ({ effect, code }) => effect !== 'normal' && code !== 'invalid-utf8',
    );
    if (fault !== undefined) return fault.message;
    const again = openFile(path)?.open().sessions[0];
    if (again === undefined) return 'it cannot be read';
    if (again.document.session.lineage.cloned_from !== session.document.session.id)
      return 'it does not name its origin';
    const [planned, reread] = [said(plannedBlocks(plan, session)), said(plannedBlocks(planClone(again), again))];
    const at = planned.findIndex((block, i) => block !== reread[i]);
    return at === -1 && planned.length === reread.length
      ? ''
      : `block ${at} reads otherwise: ${reread[at]?.slice(0, 80)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Attachments apart: on whose side they are sent, and so where, is told by rows that a copy does not have. */
function said(messages: { blocks: string[] }[]): string[] {
  const blocks = messages.flatMap((message) => message.blocks);
  const isAttached = (block: string) => block.startsWith('attachment ');
  return [...blocks.filter((block) => !isAttached(block)), ...blocks.filter(isAttached).sort()];
}
