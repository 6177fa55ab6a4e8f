// A change, side by side: what was there, and what was to be.

import { diffRows, type Side } from './diff-rows.ts';
import { visible } from './visible.ts';

export function Diff({ diff }: { diff: string }) {
  const rows = diffRows(diff).slice(0, MOST_ROWS);
  return (
    <section class="diff" aria-label="Change, side by side" tabIndex={0}>
      <table>
        <tbody>
          {rows.map(([left, right], i) =>
            left === null || right === null ? (
              <tr key={i} class="hunk">
                <td colSpan={4}>⋯</td>
              </tr>
            ) : (
              <tr key={i}>
                <Cells side={left} />
                <Cells side={right} />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

const MOST_ROWS = 1500;

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
