// An event as a rule across the page, with what it did below.

import { diffBase, diffLines } from './diff-lines.ts';
import { doubt, eventLine, type ListedEvent } from './events.ts';
import { printable } from './plain.ts';
import type { Paint } from './style.ts';
import { cut, widthOf } from './width.ts';

interface RuleOptions {
  width: number;
  paint: Paint;
  tools: 'none' | 'short' | 'full';
}

/** Begins with ━━: a pager finds its way from event to event by that. */
export function eventRule(event: ListedEvent, { width, paint, tools }: RuleOptions): string[] {
  const words = cut(`${eventLine(event)}${doubt(event)}`, Math.max(20, width - 8));
  const rest = '━'.repeat(Math.max(2, width - widthOf(words) - 4));
  return [
    paint(event.kind, `━━ ${words} ${rest}`),
    ...actionLines(event, paint),
    ...partialLines(event, paint, tools === 'full' ? Number.POSITIVE_INFINITY : 6),
  ];
}

/** The diff of what was refused. */
export function actionLines({ event }: ListedEvent, paint: Paint): string[] {
  const action = 'action' in event ? event.action : null;
  if (action?.diff == null) return [];
  const base = diffBase(action.diff_base);
  return [...(base === null ? [] : [paint('dim', base)]), ...diffLines(action.diff, paint)].map((line) => `   ${line}`);
}

/** What had been said or printed when it was stopped. */
function partialLines({ event }: ListedEvent, paint: Paint, most: number): string[] {
  const partial = 'partial_output' in event ? event.partial_output : null;
  if (partial === null || partial.trim() === '') return [];
  const lines = printable(partial).trimEnd().split('\n');
  const more = lines.length > most ? [paint('dim', `   … ${lines.length - most} more lines`)] : [];
  return [...lines.slice(0, most).map((line) => paint('dim', `   ${line}`)), ...more];
}
