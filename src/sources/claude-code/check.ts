// A session's file as its client reads it: what a resume would send, and why not more. Each rule was tried with the real
// client (2.0.42 and 2.1.325, see FORMAT.md); what a server refuses is from its documentation.

import type { SourceRef } from '../../schema/blocks.ts';
import { isObject, stringAt } from '../json-access.ts';
import { readRows } from '../jsonl.ts';
import type { Family, Files, NativeFault, NativeReport } from '../source.ts';
import { type ChainRow, chainRow, messagesIn, some } from './chain-row.ts';
import { contentFaults } from './check-content.ts';

export function check(family: Family, port: Files): NativeReport {
  const rows: ChainRow[] = [];
  const faults: NativeFault[] = [];
  let explicitLeaf: string | undefined;
  family.files.forEach(({ info, role }, file) => {
    if (role !== 'main' && role !== 'copy') return;
    readRows(port, info.path, file, {
      row: (value, ref) => {
        if (!isObject(value)) return;
        if (value.type === 'last-prompt' && value.explicit === true) explicitLeaf = stringAt(value, 'leafUuid');
        const row = chainRow(value, ref);
        if (row !== undefined) rows.push(row);
      },
      bad: () => {},
      blank: () => {},
      trouble: ({ code, message, source }) => {
        if (code !== 'no-final-newline' && code !== 'carriage-returns' && code !== 'giant-line')
          faults.push({ code, effect: code === 'unreadable-file' ? 'refused' : 'mended', message, count: 1, source });
      },
    });
  });
  return report(rows, explicitLeaf, faults);
}

function report(rows: ChainRow[], explicitLeaf: string | undefined, faults: NativeFault[]): NativeReport {
  const byId = new Map(rows.map((row) => [row.uuid, row]));
  const said = rows.filter(({ message }) => message !== null);
  const leaf = byId.get(explicitLeaf ?? '') ?? said.at(-1);
  if (leaf === undefined) {
    const message = 'There is no message in it: the client says that there is no such session.';
    faults.push({ code: 'no-messages', effect: 'refused', message, count: 0, source: null });
    return { sent: 0, of: 0, faults };
  }
  const walked = walk(leaf, byId);
  const sent = withSiblings(walked, rows);
  const lost = said.filter(({ uuid }) => !sent.has(uuid));
  const chain = rows.filter(({ uuid }) => sent.has(uuid));
  faults.push(
    ...rowFaults(rows),
    ...chainFaults(walked, said, lost, byId),
    ...contentFaults(
      chain.filter(({ message }) => message !== null),
      rows,
    ),
    ...some(
      'begins-with-reply',
      'mended',
      walked.first.type === 'assistant' ? [walked.first] : [],
      () => 'It begins with a reply: the first message must be one of the user.',
    ),
  );
  return { sent: messagesIn(said.filter(({ uuid }) => sent.has(uuid))), of: messagesIn(said), faults };
}

interface Walked {
  ids: Set<string>;
  /** The row at which it ended, and how. */
  top: ChainRow;
  /** The first message on the way down. */
  first: ChainRow;
  end: 'root' | 'boundary' | 'missing' | 'cycle' | 'no-key';
}

function walk(leaf: ChainRow, byId: Map<string, ChainRow>): Walked {
  const ids = new Set<string>();
  let at = leaf;
  let first = leaf;
  const ended = (end: Walked['end']): Walked => ({ ids, top: at, first, end });
  for (;;) {
    ids.add(at.uuid);
    if (at.message !== null) first = at;
    if (at.isBoundary) return ended('boundary');
    if (at.parent === undefined) return ended('no-key');
    if (at.parent === null) return ended(at.isSummary ? 'boundary' : 'root');
    if (ids.has(at.parent)) return ended('cycle');
    const above = byId.get(at.parent);
    if (above === undefined) return ended('missing');
    at = above;
  }
}

/** Parallel calls hang side by side, and a compaction may keep rows from before it: the client sends them all. */
function withSiblings({ ids, top }: Walked, rows: ChainRow[]): Set<string> {
  const sent = new Set([...ids, ...top.preserved]);
  const messages = new Set(rows.filter(({ uuid }) => sent.has(uuid)).map(({ message }) => message));
  for (const row of rows) if (row.type === 'assistant' && messages.has(row.message)) sent.add(row.uuid);
  const calls = new Set(rows.filter(({ uuid }) => sent.has(uuid)).flatMap(({ calls }) => calls));
  for (const row of rows) if (row.results.some((id) => calls.has(id))) sent.add(row.uuid);
  return sent;
}

function rowFaults(rows: ChainRow[]): NativeFault[] {
  const seen = new Set<string>();
  const again = rows.filter(({ uuid }) => seen.size === seen.add(uuid).size);
  const timeless = rows.filter(({ timestamp }) => !timestamp);
  return [
    ...some(
      'no-timestamp',
      'refused',
      timeless,
      (count) => `${count} rows have no time: the client (2.1.325) refuses the whole session.`,
    ),
    ...some(
      'duplicate-uuid',
      'mended',
      again,
      (count) =>
        `${count} rows stand in the file twice, with the same id: a compaction that was run again appends old rows.`,
    ),
  ];
}

/** What is not sent, by why it is not. */
function chainFaults(
  { top, end }: Walked,
  said: ChainRow[],
  lost: ChainRow[],
  byId: Map<string, ChainRow>,
): NativeFault[] {
  const before = lost.filter(({ ref }) => isBefore(ref, top.ref));
  const beside = lost.filter(({ ref }) => !isBefore(ref, top.ref));
  const isFirst = said[0] === undefined || !isBefore(said[0].ref, top.ref);
  const faults: NativeFault[] = [];
  if (end === 'boundary')
    faults.push(
      ...some(
        'compacted',
        'normal',
        before,
        (count) => `${count} messages were replaced by the summary of a compaction.`,
      ),
    );
  if (end === 'missing')
    faults.push(
      ...some(
        'missing-parent',
        'lost',
        [top],
        () =>
          `Line ${top.ref.line} hangs on a row that is not in the file: clients up to 2.0.x resume only what comes after it, and lose ${messagesIn(before)} messages; 2.1.325 mends it.`,
        messagesIn(before),
      ),
    );
  if (end === 'root' && !isFirst)
    faults.push(
      ...some(
        'null-parent',
        'lost',
        [top],
        () =>
          `Line ${top.ref.line} hangs on nothing, in the middle of the file: the client drops the ${messagesIn(before)} messages before it.`,
        messagesIn(before),
      ),
    );
  if (end === 'no-key')
    faults.push(
      ...some(
        'no-parent',
        'lost',
        [top],
        () =>
          `Line ${top.ref.line} does not say what it hangs on: the client drops the ${messagesIn(before)} messages before it.`,
        messagesIn(before),
      ),
    );
  if (end === 'cycle')
    faults.push(
      ...some(
        'cycle',
        'lost',
        [top],
        () => `Line ${top.ref.line} hangs on a row that hangs on it: the client drops ${messagesIn(lost)} messages.`,
        messagesIn(lost),
      ),
    );
  const torn = beside.filter(({ parent }) => typeof parent === 'string' && !byId.has(parent));
  const dead = beside.filter((row) => !torn.includes(row));
  faults.push(
    ...some(
      'dead-branch',
      'normal',
      dead,
      (count) =>
        `${count} messages stand on branches that were given up: taken back with /rewind, stopped before an answer, or left when an older message was gone on with.`,
    ),
    ...some(
      'torn-branch',
      'lost',
      torn,
      (count) => `${count} messages hang on rows that are not in the file, beside the line that is resumed.`,
    ),
  );
  return faults;
}

function isBefore(a: SourceRef, b: SourceRef): boolean {
  return a.file < b.file || (a.file === b.file && a.offset < b.offset);
}
