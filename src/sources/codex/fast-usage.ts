// The tokens of a family without its outlines: outputs of calls, most of all bytes, are passed by their first bytes; of the
// other rows only what decides on tokens is looked at. It gives what the outlines give. What it does not know whole is odd,
// and then the outlines must be read: forks that go on from another file, files that lie there twice, documents.

import type { UsageOfSession } from '../../schema/usage-row.ts';
import { readLines } from '../lines.ts';
import { Odd, unless } from '../odd.ts';
import type { Family, FamilyFile, Files } from '../source.ts';
import { copiedLines } from './copied.ts';
import { type CopiedFrom, ThreadUsage } from './thread-usage.ts';

export function familyUsage(family: Family, port: Files): UsageOfSession[] | null {
  return unless(Odd, () => {
    const threads = new Map<string, FamilyFile[]>();
    for (const file of family.files) {
      if (file.role === 'base' || file.session_id === null) continue;
      threads.set(file.session_id, [...(threads.get(file.session_id) ?? []), file]);
    }
    return [...threads]
      .map(([id, files]) => threadUsage(id, files, family, port))
      .filter(({ rows }) => rows.length > 0);
  });
}

function threadUsage(id: string, files: FamilyFile[], family: Family, port: Files): UsageOfSession {
  if (files.some(({ role, info }) => role === 'copy' || info.path.endsWith('.json'))) throw new Odd('copy or document');
  const path = files[0]?.info.path ?? '';
  const copiedFrom: CopiedFrom = (parent, kind) =>
    copiedLines(port, path, parentPath(family, parent, kind), parent, kind);
  const thread = new ThreadUsage(id, copiedFrom);
  for (const file of files) {
    thread.begin(file.role);
    readLines(port, file.info.path, (bytes, from, to) => takeLine(thread, bytes, from, to));
  }
  return thread.finish();
}

/** The file that rows were copied from, if it is here: see `inheritedRows` in outline.ts. */
function parentPath(family: Family, parent: string, kind: 'fork' | 'subagent'): string | undefined {
  const roles = kind === 'fork' ? ['base'] : ['main', 'subagent'];
  return family.files.find(({ role, session_id }) => session_id === parent && roles.includes(role))?.info.path;
}

function takeLine(thread: ThreadUsage, bytes: Buffer, from: number, to: number): void {
  thread.nextLine();
  if (to - from < LONG_BYTES) {
    thread.takeLine(bytes, from, to);
    return;
  }
  const passed = PASSED.exec(bytes.toString('latin1', from, Math.min(to, from + HEAD_BYTES)));
  if (passed !== null && isAlone(bytes, from, to)) thread.pass(passed[1], passed[2]);
  else thread.takeLine(bytes, from, to);
}

const HEAD_BYTES = 250;
/** Shorter ones are looked into as fast as they are passed. */
const LONG_BYTES = 2000;

/** Rows that tell nothing of tokens: outputs of calls, which are messages, with the ids that they may have; and records. */
const PASSED =
  /^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?"type":"(?:response_item","payload":\{"type":"(function|custom_tool)_call_output",(?:"id":"([^"\\]*)",)?"call_id":"|event_msg","payload":\{"type":"(?:exec_command_end|patch_apply_end|mcp_tool_call_end|thread_settings_applied)"|world_state")/;

const NEXT_ROW = Buffer.from('{"timestamp"');

/** No other row is glued to it: as a key this stands in no string. */
function isAlone(bytes: Buffer, from: number, to: number): boolean {
  const next = bytes.indexOf(NEXT_ROW, from + 1);
  return next === -1 || next >= to;
}
