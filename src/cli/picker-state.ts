// The picker without its terminal: what a key does, and what is on the screen.

import { ago, counted, cut, dayAndTime, fit, plain, size } from '../index.ts';
import type { ListedSession } from './listed.ts';
import { marks } from './marks.ts';
import type { Screen } from './screen.ts';
import { shortId } from './short-id.ts';

export interface PickerState {
  query: string;
  /** Place among those that fit the query. */
  selected: number;
  rows: ListedSession[];
  /** More are still being read. */
  isLoading: boolean;
  ended: 'chosen' | 'left' | null;
}

export interface Key {
  name?: string;
  ctrl?: boolean;
  /** What was typed, where it is a letter. */
  text?: string;
}

export function emptyState(): PickerState {
  return { query: '', selected: 0, rows: [], isLoading: true, ended: null };
}

/** All words must be in the title, the project, the agent or the id. */
export function fitting({ query, rows }: PickerState): ListedSession[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ title, project, agent, id }) => {
    const text = `${title ?? ''} ${project ?? ''} ${agent} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function afterKey(state: PickerState, key: Key): PickerState {
  const last = Math.max(0, fitting(state).length - 1);
  const move = (by: number): PickerState => ({ ...state, selected: Math.min(last, Math.max(0, state.selected + by)) });
  const type = (query: string): PickerState => ({ ...state, query, selected: 0 });
  if (key.name === 'escape' || (key.ctrl === true && (key.name === 'c' || key.name === 'd')))
    return { ...state, ended: 'left' };
  if (key.name === 'return' || key.name === 'enter')
    return fitting(state).length === 0 ? state : { ...state, ended: 'chosen' };
  if (key.name === 'up' || (key.ctrl === true && key.name === 'p')) return move(-1);
  if (key.name === 'down' || (key.ctrl === true && key.name === 'n')) return move(1);
  if (key.name === 'pageup') return move(-10);
  if (key.name === 'pagedown') return move(10);
  if (key.name === 'home') return move(-state.rows.length);
  if (key.name === 'end') return move(state.rows.length);
  if (key.name === 'backspace') return type(state.query.slice(0, -1));
  if (key.ctrl === true && key.name === 'u') return type('');
  if (key.ctrl === true && key.name === 'w') return type(state.query.replace(/\S*\s*$/, ''));
  return key.ctrl === true || key.text === undefined ? state : type(state.query + key.text);
}

const PREVIEW = 5;

/** As many lines as the screen has, but one. */
export function pickerLines(state: PickerState, what: string, view: Screen, present: number): string[] {
  const { paint, width, rows: height } = view;
  const found = fitting(state);
  // A low window has room for the list alone.
  const isLow = height < 10;
  const room = Math.max(1, isLow ? height - 2 : height - PREVIEW - 3);
  const first = Math.min(Math.max(0, state.selected - room + 1), Math.max(0, found.length - room));
  const shown = found.slice(first, first + room);
  const number = `${found.length} of ${state.rows.length}${state.isLoading ? ' …' : ''}`;
  const chosen = found[state.selected];
  return [
    `${paint('prompt', `${what} ❯ `)}${cut(plain(state.query), Math.max(8, width - what.length - number.length - 6))}${paint('dim', `  ${number}`)}`,
    ...shown.map((session, i) => rowLine(session, first + i === state.selected, view, present)),
    ...(isLow ? [] : below(chosen, room - shown.length, view)),
  ];
}

function below(chosen: ListedSession | undefined, empty: number, view: Screen): string[] {
  const { paint, width } = view;
  return [
    ...Array.from({ length: empty }, () => ''),
    paint('dim', '─'.repeat(width - 1)),
    ...(chosen === undefined ? Array.from({ length: PREVIEW - 1 }, () => '') : preview(chosen, view)),
    paint('dim', cut('type to filter · ↑ ↓ choose · Enter take · Esc leave', width - 1)),
  ];
}

function rowLine(session: ListedSession, isChosen: boolean, { paint, width }: Screen, present: number): string {
  const age = ago(session.last_used, present).padStart(6);
  const agent = fit(session.agent.split('-')[0] ?? '', 6);
  const events = marks(session.events);
  const room = Math.max(10, width - 18 - events.length);
  const title = fit(plain(session.title ?? '(no title)', 200), room);
  const mark = isChosen ? paint('prompt', '❯') : ' ';
  const words = isChosen ? paint('strong', title) : title;
  return `${mark} ${paint('dim', age)} ${agent} ${words} ${paint('rejection', events)}`.trimEnd();
}

/** What one wants to know before one takes it. */
function preview(session: ListedSession, { paint, width }: Screen): string[] {
  const events = Object.entries(session.events).map(([kind, count]) => counted(count, kind));
  return [
    paint('strong', cut(plain(session.title ?? '(no title)', 500), width - 1)),
    cut(plain(session.project ?? 'project not known', 500), width - 1),
    cut(
      `${dayAndTime(session.started_at) ?? '?'} … ${dayAndTime(session.ended_at) ?? '?'} · ${counted(session.turns, 'turn')} · ${size(session.bytes)} · ${shortId(session.id)}`,
      width - 1,
    ),
    cut(events.join(', ') || 'no events', width - 1),
  ];
}
