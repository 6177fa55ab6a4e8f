// A session's shape in a strip: how long it is, and what happened where.

import type { SessionRow } from '../../api.ts';
import { EVENT_KINDS } from '../parts/events.ts';

const [WIDTH, HEIGHT] = [104, 18];

export function Shape({ row }: { row: SessionRow }) {
  if (!row.is_read) return <span class="shape waiting" aria-hidden="true" />;
  // A session of ten messages and one of ten thousand must both be told from others.
  const width = Math.max(4, Math.min(WIDTH, (Math.log10(row.messages + 1) / 4) * WIDTH));
  return (
    <svg class="shape" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect class="length" x="0" y="7" width={width} height="4" rx="2" />
      {row.marks.map(([kind, at], i) => {
        const x = 1 + (at / 1000) * (width - 2);
        const name = EVENT_KINDS[kind] ?? 'failure';
        return name === 'compaction' || name === 'clear' ? (
          <rect key={i} class={`mark ${name}`} x={x - 1.25} y="1" width="2.5" height="16" />
        ) : (
          <circle key={i} class={`mark ${name}`} cx={x} cy="9" r="3.2" />
        );
      })}
    </svg>
  );
}
