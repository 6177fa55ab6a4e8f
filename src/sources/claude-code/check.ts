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
  const asked: Asked = { leaf: undefined, rewound: new Set() };
  family.files.forEach(({ info, role }, file) => {
    if (role !== 'main' && role !== 'copy') return;
    readRows(port, info.path, file, {
      row: (value, ref) => {
        if (!isObject(value)) return;
        if (value.type === 'last-prompt' && value.explicit === true) noteLeaf(asked, stringAt(value, 'leafUuid'), rows);
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
  const own = family.files.filter(({ role }) => role === 'main' || role === 'copy');
  if (own.length === 0) return onlySubagents(family);
  const bytes = own.reduce((sum, { info }) => sum + info.bytes, 0);
  if (bytes > LARGE_BYTES) {
    const message = `The file has ${Math.round(bytes / 1e6)} MB. Clients have been reported to run out of memory from 40 MB on.`;
    faults.push({ code: 'large-file', effect: 'normal', message, count: 1, source: null });
  }
  return report(rows, asked, faults);
}

const LARGE_BYTES = 40_000_000;

/** Nobody can go on with a session of which only the subagents' files are left: that is no fault of theirs. */
function onlySubagents({ files }: Family): NativeReport {
  const count = files.filter(({ role }) => role === 'subagent').length;
  const message = 'The session itself is gone: only files of its subagents are left.';
  const faults: NativeFault[] = [{ code: 'only-subagents', effect: 'normal', message, count, source: null }];
  return { sent: null, of: null, by: null, also: [], faults };
}

/** Where the person wanted to go on. */
interface Asked {
  leaf: string | undefined;
  /** Prompts that begin anew because everything before was taken back. */
  rewound: Set<string>;
}

const NO_ROW = '00000000-0000-';

/** A leaf of zeros is written after the prompt that took turns back, a real one for where to go on (2.1.325, FORMAT.md). */
function noteLeaf(asked: Asked, leaf: string | undefined, rows: ChainRow[]): void {
  if (leaf?.startsWith(NO_ROW) !== true) {
    asked.leaf = leaf;
    return;
  }
  const prompt = rows.findLast(({ type, parent }) => type === 'user' && parent === null);
  if (prompt !== undefined) asked.rewound.add(prompt.uuid);
}

function report(all: ChainRow[], asked: Asked, faults: NativeFault[]): NativeReport {
  const byId = new Map<string, ChainRow>();
  const again: ChainRow[] = [];
  for (const row of all) {
    if (byId.has(row.uuid)) again.push(row);
    else byId.set(row.uuid, row);
  }
  const rows = [...byId.values()];
  const said = rows.filter(({ message }) => message !== null);
  const leaf = byId.get(asked.leaf ?? '') ?? said.at(-1);
  if (leaf === undefined) {
    const message = 'There is no message in it: the client says that there is no such session.';
    faults.push({ code: 'no-messages', effect: 'refused', message, count: 0, source: null });
    return { sent: 0, of: 0, by: null, also: [], faults };
  }
  const walked = walk(leaf, byId);
  const heals = mendsBreaks(leaf);
  const ids = withSiblings(walked.end === 'missing' && heals ? healed(walked, rows) : walked, rows);
  const sent = said.filter(({ uuid }) => ids.has(uuid));
  const unsent = said.filter(({ uuid }) => !ids.has(uuid));
  const found = [
    ...rowFaults(rows, again),
    ...timeFaults(leaf, sent),
    ...chainFaults(walked, unsent, { rows, byId, rewound: asked.rewound }),
    ...contentFaults(sent, rows),
  ];
  faults.push(...found);
  const isRefused = found.some(({ code }) => code === 'no-timestamp');
  const whole = withSiblings(healed(walked, rows), rows);
  const mended = messagesIn(said.filter(({ uuid }) => whole.has(uuid)));
  const also = walked.end === 'missing' && !heals && !isRefused ? [{ client: '2.1.325', sent: mended }] : [];
  return {
    sent: isRefused ? 0 : messagesIn(sent),
    of: messagesIn(said),
    by: also.length === 0 ? null : 'up to 2.0.x',
    also,
    faults,
  };
}

interface Walked {
  ids: Set<string>;
  /** The row at which it ended, and how. */
  top: ChainRow;
  /** The first message on the way down. */
  first: ChainRow;
  end: 'root' | 'boundary' | 'clear' | 'missing' | 'cycle' | 'no-key';
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
    if (at.parent === null) return ended(at.isSummary ? 'boundary' : at.isClear ? 'clear' : 'root');
    if (ids.has(at.parent)) return ended('cycle');
    const above = byId.get(at.parent);
    if (above === undefined) return ended('missing');
    at = above;
  }
}

/** 2.1.325 goes on over a row that is not in the file; which version between it and 2.0.42 was the first is not known. */
function mendsBreaks({ version }: ChainRow): boolean {
  const [major = 0, minor = 0, patch = 0] = (version ?? '').split('.').map(Number);
  return major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch >= 325)));
}

/** Everything before the break that was not compacted away. */
function healed(walked: Walked, rows: ChainRow[]): Walked {
  const from = rows.findLastIndex(({ isBoundary, ref }) => isBoundary && isBefore(ref, walked.top.ref));
  const before = rows.slice(Math.max(0, from)).filter(({ ref }) => isBefore(ref, walked.top.ref));
  return { ...walked, ids: new Set([...walked.ids, ...before.map(({ uuid }) => uuid)]) };
}

/** Parallel calls hang side by side, and a compaction may keep rows from before it: the client sends them all. */
function withSiblings({ ids, top }: Walked, rows: ChainRow[]): Set<string> {
  const sent = new Set([...ids, ...preservedBy(top, rows)]);
  const messages = new Set(rows.filter(({ uuid }) => sent.has(uuid)).map(({ message }) => message));
  for (const row of rows) if (row.type === 'assistant' && messages.has(row.message)) sent.add(row.uuid);
  const calls = new Set(rows.filter(({ uuid }) => sent.has(uuid)).flatMap(({ calls }) => calls));
  for (const row of rows) if (row.results.some((id) => calls.has(id))) sent.add(row.uuid);
  return sent;
}

/** By name, or all from one row to another. */
function preservedBy({ preserved, segment }: ChainRow, rows: ChainRow[]): string[] {
  if (preserved.length > 0 || segment === null) return preserved;
  const from = rows.findIndex(({ uuid }) => uuid === segment.head);
  const to = rows.findIndex(({ uuid }) => uuid === segment.tail);
  return from === -1 ? [] : rows.slice(from, to + 1).map(({ uuid }) => uuid);
}

function rowFaults(rows: ChainRow[], again: ChainRow[]): NativeFault[] {
  const timeless = rows.filter(({ time }) => time === null);
  return [
    ...some('no-timestamp', 'refused', timeless, [
      'Rows without a time',
      'The client (2.1.325) refuses the whole session.',
    ]),
    ...some('duplicate-uuid', 'mended', again, [
      'Messages that stand in the file again, with the same id',
      'A compaction that was run again appends old rows; the client takes each once.',
    ]),
  ];
}

/** 2.0.42 resumes from the row with the newest time, and of several from the first; 2.1.325 goes by the chain. */
function timeFaults(leaf: ChainRow, sent: ChainRow[]): NativeFault[] {
  const newest = sent.reduce((most, row) => ((row.time ?? 0) > (most.time ?? 0) ? row : most), sent[0] ?? leaf);
  if (newest.uuid === leaf.uuid || newest.time === null) return [];
  return some(
    'newest-not-last',
    'mended',
    [newest],
    [
      'Rows that are newer than the last, or as new',
      'Clients up to 2.0.x resume from the newest row and lose what comes after it; 2.1.325 mends it.',
    ],
  );
}

/** Why a walk up the chain ended before the beginning. */
const BREAKS: Partial<Record<Walked['end'], [code: string, words: string]>> = {
  missing: [
    'missing-parent',
    'hangs on a row that is not in the file. Clients up to 2.0.x send only what comes after it',
  ],
  root: ['null-parent', 'hangs on nothing, in the middle of the file. Clients drop what comes before it'],
  'no-key': ['no-parent', 'does not say what it hangs on. Clients drop what comes before it'],
  cycle: ['cycle', 'hangs on a row that hangs on it. Clients stop there'],
};

interface Around {
  rows: ChainRow[];
  byId: Map<string, ChainRow>;
  rewound: Set<string>;
}

/** What is not sent, by why it is not. */
function chainFaults({ top, first, end }: Walked, unsent: ChainRow[], { rows, byId, rewound }: Around): NativeFault[] {
  const isRewound = end === 'root' && rewound.has(top.uuid);
  const boundary = rows.findLast(({ isBoundary, ref }) => isBoundary && !isBefore(top.ref, ref));
  const isCompacted = ({ ref }: ChainRow) => boundary !== undefined && isBefore(ref, boundary.ref);
  const before = unsent.filter((row) => isBefore(row.ref, top.ref) && !isCompacted(row));
  const beside = unsent.filter(({ ref }) => !isBefore(ref, top.ref));
  const [code, words] = (isRewound ? undefined : BREAKS[end]) ?? [];
  const lost = messagesIn(end === 'cycle' ? unsent : before);
  const faults: NativeFault[] = [];
  if (code !== undefined && (lost > 0 || end === 'cycle' || end === 'missing')) {
    const many = lost === 0 ? '' : ` and lose ${lost} ${lost === 1 ? 'message' : 'messages'}`;
    const message = `Line ${top.ref.line} ${words}${many}.`;
    faults.push({ code, effect: lost > 0 ? 'lost' : 'mended', message, count: lost, source: top.ref });
  }
  const torn = new Set(beside.filter(({ parent }) => typeof parent === 'string' && !byId.has(parent)));
  const dead = [...(isRewound ? before : []), ...beside.filter((row) => !torn.has(row))];
  return [
    ...faults,
    ...some(
      'compacted',
      'normal',
      end === 'boundary' ? unsent.filter(({ ref }) => isBefore(ref, top.ref)) : unsent.filter(isCompacted),
      ['Messages that a compaction replaced by its summary', 'That is as it should be.'],
    ),
    ...some('cleared', 'normal', end === 'clear' ? before : [], [
      'Messages from before the context was cleared',
      'That is as it should be.',
    ]),
    ...some(
      'torn-branch',
      'lost',
      [...torn],
      [
        'Messages that hang on rows which are not in the file, beside the line that is resumed',
        'The client drops them.',
      ],
    ),
    ...some('dead-branch', 'normal', end === 'cycle' ? [] : dead, [
      'Messages on branches that were given up',
      'They were taken back with /rewind, stopped before an answer, or left when an older message was gone on with.',
    ]),
    ...some('begins-with-reply', 'mended', first.type === 'assistant' ? [first] : [], [
      'Replies that stand before any word of the user',
      'The first message must be one of the user.',
    ]),
  ];
}

function isBefore(a: SourceRef, b: SourceRef): boolean {
  return a.file < b.file || (a.file === b.file && a.offset < b.offset);
}
