// A file written once more, row by row, with what stands between the rows as it is.

import type { SourceRef } from '../../schema/blocks.ts';
import { readRows } from '../jsonl.ts';
import type { Files, RowChanges } from '../source.ts';
import { rawRow } from './row-edit.ts';

export function* rewrite(port: Files, path: string, changes: RowChanges): Generator<Uint8Array> {
  const rows: SourceRef[] = [];
  readRows(port, path, 0, { row: (_, ref) => rows.push(ref), bad: () => {}, blank: () => {}, trouble: () => {} });
  const open = port.open(path);
  const raw = (from: number, to: number): Buffer => {
    const bytes = Buffer.allocUnsafe(to - from);
    return bytes.subarray(0, open.read(bytes, from));
  };
  let at = 0;
  try {
    for (const ref of rows) {
      yield raw(at, ref.offset);
      const bytes = raw(ref.offset, ref.offset + ref.length);
      const row = rawRow(bytes);
      const set = changes(row, ref.line);
      yield set === null ? bytes : row.edited({ set });
      at = ref.offset + ref.length;
    }
    yield raw(at, open.size);
  } finally {
    open.close();
  }
}
