// What of a rollout is written over and over: each compaction writes the whole new history down once more. And what clients no longer
// take up.

import { isObject } from '../json-access.ts';
import { readRows } from '../jsonl.ts';
import type { Family, Files, NativeFault, NativeReport } from '../source.ts';

/** Worth saying from this share of the file on. */
const LARGE_SHARE = 0.25;

/** What a resume sends is not worked out here: the client takes up the history of the last compaction. */
export function check(family: Family, port: Files): NativeReport {
  const faults: NativeFault[] = [];
  let all = 0;
  let inEnvelopes = 0;
  const repeated = { bytes: 0, count: 0, first: null as NativeFault['source'] };
  family.files.forEach(({ info, role }, file) => {
    if (role === 'companion') return;
    readRows(port, info.path, file, {
      row: (value, ref) => {
        all += ref.length;
        if (isObject(value) && isObject(value.payload)) inEnvelopes++;
        if (!isObject(value) || value.type !== 'compacted') return;
        repeated.bytes += ref.length;
        repeated.count++;
        repeated.first ??= ref;
      },
      bad: () => {},
      blank: () => {},
      trouble: ({ code, message, source }) => {
        if (code === 'unreadable-file') faults.push({ code, effect: 'refused', message, count: 1, source });
      },
    });
  });
  if (family.files.some(({ info }) => info.path.endsWith('.json')) || (all > 0 && inEnvelopes === 0))
    faults.push({
      code: 'old-format',
      effect: 'refused',
      message:
        'It is in the form of Codex 0.31 and earlier: newer clients take it for an empty one, and refuse to go on with it.',
      count: 1,
      source: null,
    });
  const share = all === 0 ? 0 : repeated.bytes / all;
  if (share >= LARGE_SHARE)
    faults.push({
      code: 'repeated-history',
      effect: 'normal',
      message: `${Math.round(share * 100)} % of its bytes are histories that its ${repeated.count} compactions wrote down again.`,
      count: repeated.count,
      source: repeated.first,
    });
  return { sent: null, of: null, by: null, also: [], faults };
}
