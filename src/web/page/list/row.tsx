import type { SessionRow } from '../../api.ts';
import { sessionAddress } from '../address.ts';
import { EVENT_KINDS, GLYPHS, NAMES } from '../parts/events.ts';
import { ago, counted, dayAndTime, shortPath, size } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';
import { Shape } from './shape.tsx';

interface RowProps {
  row: SessionRow;
  folded: number;
  isChosen: boolean;
  isOpen: boolean;
  isUnder: boolean;
  now: number;
  top: number;
  choose: () => void;
  unfold: () => void;
}

export function Row({ row, folded, isChosen, isOpen, isUnder, now, top, choose, unfold }: RowProps) {
  const title = visible(row.title ?? (row.is_read ? '(no title)' : row.id));
  return (
    <li
      class={`row${isChosen ? ' chosen' : ''}${isUnder ? ' under' : ''}`}
      style={{ top: `${top}px` }}
      id={`row-${row.key}`}
    >
      <a class="row-link" href={sessionAddress(row.key)} tabIndex={isChosen ? 0 : -1} onFocus={choose}>
        <span class={`row-title${row.is_read ? '' : ' waiting-text'}`}>{title}</span>
        <span class="row-project" title={row.project ?? ''}>
          {visible(shortPath(row.project))}
        </span>
        <span class="row-agent">{row.agent.replace('-code', '')}</span>
        <span class="row-shape">
          <Shape row={row} />
        </span>
        <span class="row-events">{row.is_read && <EventCounts row={row} />}</span>
        <span class="row-size">
          {row.is_read ? `${counted(row.turns, 'turn')} · ` : ''}
          {size(row.bytes)}
        </span>
        <time class="row-time" dateTime={row.last_used ?? ''} title={dayAndTime(row.last_used)}>
          {ago(row.last_used, now)}
        </time>
      </a>
      {(folded > 0 || row.subagents > 0 || row.kept) && (
        <span class="row-notes">
          {folded > 0 && (
            <button type="button" class="quiet" onClick={unfold} aria-expanded={isOpen}>
              {isOpen ? '−' : '+'}
              {folded} earlier
            </button>
          )}
          {row.subagents > 0 && <span>{counted(row.subagents, 'subagent')}</span>}
          {row.kept && <span title="The agent has deleted it; it is read from what was kept.">kept</span>}
        </span>
      )}
    </li>
  );
}

function EventCounts({ row }: { row: SessionRow }) {
  return (
    <>
      {EVENT_KINDS.map((kind, number) => {
        const count = row.events[number] ?? 0;
        if (count === 0) return null;
        return (
          <span key={kind} class={`event-count ${kind}`} title={`${count} ${NAMES[kind][count === 1 ? 0 : 1]}`}>
            <span aria-hidden="true">{GLYPHS[kind]}</span>
            <span class="unseen">{NAMES[kind][count === 1 ? 0 : 1]}: </span>
            {count}
          </span>
        );
      })}
    </>
  );
}
