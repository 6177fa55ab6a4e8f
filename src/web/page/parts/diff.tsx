// A change, side by side: what was there, and what was to be.

import { useMemo, useState } from 'preact/hooks';
import { type DiffRow, diffRows, type Side } from './diff-rows.ts';
import { counted } from './measures.ts';
import { visible } from './visible.ts';

/** More rows than this are drawn when somebody asks for them: they would be felt. */
const MOST_ROWS = 1500;

export function Diff({ diff }: { diff: string }) {
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => diffRows(diff), [diff]);
  const shown = isWhole ? rows : rows.slice(0, MOST_ROWS);
  return (
    <>
      <section class="diff" aria-label="Change, side by side" tabIndex={0}>
        <table>
          {/* The first row is no row of lines: without these it would make all columns as wide as one another. */}
          <colgroup>
            <col class="number-column" />
            <col />
            <col class="number-column" />
            <col />
          </colgroup>
          <tbody>
            {shown.map((row, i) => (
              <Row key={i} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < rows.length && (
        <button type="button" class="link more" onClick={() => setWhole(true)}>
          Show the other {counted(rows.length - shown.length, 'line')}
        </button>
      )}
    </>
  );
}

function Row({ row }: { row: DiffRow }) {
  switch (row.kind) {
    case 'file':
      return (
        <tr class="diff-file">
          <th colSpan={4} scope="colgroup">
            {visible(row.name)}
          </th>
        </tr>
      );
    case 'gap':
      return (
        <tr class="hunk">
          <td colSpan={4}>⋯</td>
        </tr>
      );
    case 'lines':
      return (
        <tr>
          <Cells side={row.left} />
          <Cells side={row.right} />
        </tr>
      );
  }
}

function Cells({ side: { number, text, kind } }: { side: Side }) {
  const sign = kind === 'less' ? '−' : kind === 'more' ? '+' : '';
  return (
    <>
      <td class={`line-number ${kind}`}>{number ?? ''}</td>
      <td class={`line ${kind}`}>
        <span class="sign">{sign}</span>
        {visible(text)}
      </td>
    </>
  );
}
