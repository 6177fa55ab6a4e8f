// What of a rollout is written over and over: each compaction writes the whole new history down once more.

import { isObject } from '../json-access.ts';
import { readRows } from '../jsonl.ts';
import type { Family, Files, NativeFault, NativeReport } from '../source.ts';

/** Worth saying from this share of the file on. */
const LARGE_SHARE = 0.25;

/** What a resume sends is not worked out here: the client takes up the history of the last compaction. */
export function check(family: Family, port: Files): NativeReport {
  const faults: NativeFault[] = [];
  let all = 0;
  const repeated = { bytes: 0, count: 0, first: null as NativeFault['source'] };
  family.files.forEach(({ info, role }, file) => {
    if (role === 'companion') return;
    readRows(port, info.path, file, {
      row: (value, ref) => {
        all += ref.length;
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
