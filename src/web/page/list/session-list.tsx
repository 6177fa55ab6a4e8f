// The list of sessions: search as you type, facets, sorting; rows are drawn only where they can be seen.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionRow } from '../../api.ts';
import { type Chosen, chosenIn, FACETS, type Facet, fits, isAny } from '../../facets.ts';
import { go, replace, sessionAddress } from '../address.ts';
import { Help, useHelp } from '../parts/help.tsx';
import { isOnControl, isTyping, useKeyDown } from '../parts/keys.ts';
import { counted, size } from '../parts/measures.ts';
import { toggled } from '../parts/toggled.ts';
import type { Choice } from './choices.ts';
import { leftList } from './left-list.ts';
import { Row } from './row.tsx';
import { TextHits } from './text-hits.tsx';
import { useChoices } from './use-choices.ts';
import { useSessions } from './use-sessions.ts';
import { ROW, useView } from './use-view.ts';

/** So long after the last turn of the wheel somebody is still on the way. */
const SCROLLING_MS = 500;
const SORTS = {
  newest: 'newest',
  oldest: 'oldest',
  largest: 'largest',
  events: 'most happened',
} as const;
type Sort = keyof typeof SORTS;

export function SessionList({ query }: { query: URLSearchParams }) {
  const scrolled = useRef(0);
  const { rows, about, trouble, see } = useSessions(() => performance.now() - scrolled.current < SCROLLING_MS);
  const [asked, setAsked] = useState(() => new URLSearchParams(query));
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [chosenRow, setChosenRow] = useState(0);
  const [isNarrowing, setNarrowing] = useState(false);
  const help = useHelp();
  const box = useRef<HTMLInputElement>(null);
  const now = useMemo(() => Date.now(), [rows]);
  useEffect(() => {
    document.title = 'Palimpsest';
  }, []);

  const text = asked.get('q') ?? '';
  const sort = (Object.keys(SORTS) as Sort[]).find((name) => name === asked.get('sort')) ?? 'newest';
  const change = (next: (query: URLSearchParams) => void) => {
    const query = new URLSearchParams(asked);
    next(query);
    setAsked(query);
    setChosenRow(0);
    replace(addressOf(query));
  };
  useEffect(() => {
    leftList.address = addressOf(asked);
  }, [asked]);
  const matching = useMemo(() => matchingRows(rows, text), [rows, text]);
  const chosen = useMemo(() => chosenIn(asked), [asked]);
  const shown = useMemo(
    () => listed(sorted(fitting(matching, chosen, now), sort), opened, text !== ''),
    [matching, chosen, sort, opened, now, text],
  );
  // Where the words are in no title, what is ticked still narrows what was said.
  const choices = useChoices(matching.length === 0 ? rows : matching, chosen, now);
  const summary = useMemo(() => summaryOf(shown, about?.all ?? 0), [shown, about?.all]);
  const view = useView(shown.count, scrolled, addressOf(query) === leftList.address ? leftList.top : 0);
  const visible = Array.from({ length: Math.max(0, Math.min(shown.count, view.last) - view.first) }, (_, i) =>
    shown.at(view.first + i),
  );
  const keys = visible.map(({ row }) => row.key).join(' ');
  useEffect(() => see(visible.map(({ row }) => row.key)), [keys, see]);

  useKeyDown((event) => {
    const isInBox = document.activeElement === box.current;
    if (event.key === 'Escape' && isInBox) {
      change((query) => query.delete('q'));
      box.current?.blur();
    }
    if (isTyping(event) && !(isInBox && (event.key === 'ArrowDown' || event.key === 'Enter'))) return;
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(shown.count - 1, chosenRow + by));
      setChosenRow(next);
      view.reveal(next);
    } else if (event.key === 'Enter' && (isInBox || isOnRow(event) || !isOnControl(event))) {
      const row = chosenRow < shown.count ? shown.at(chosenRow).row : undefined;
      if (row === undefined) return;
      event.preventDefault();
      go(sessionAddress(row.key));
    } else if (event.key === '/') {
      event.preventDefault();
      box.current?.focus();
    }
  });

  const narrowed = FACETS.reduce((sum, facet) => sum + chosen[facet].length, 0);
  return (
    <div class="list-page">
      <header class="list-head">
        <h1 class="wordmark" data-word="Palimpsest">
          Palimpsest
        </h1>
        <div class="search-box">
          <input
            ref={box}
            type="search"
            placeholder="Search titles, projects and what was said"
            aria-label="Search sessions"
            value={text}
            onInput={(event) => {
              const { value } = event.currentTarget;
              change((query) => (value === '' ? query.delete('q') : query.set('q', value)));
            }}
          />
          <kbd>/</kbd>
        </div>
        <button
          type="button"
          class="quiet narrow-button"
          aria-expanded={isNarrowing}
          onClick={() => setNarrowing(!isNarrowing)}
        >
          Narrow{narrowed > 0 ? ` (${narrowed})` : ''}
        </button>
        <button type="button" class="quiet" onClick={help.toggle} aria-label="Keys">
          ?
        </button>
      </header>
      {about?.is_sample === true && (
        <p class="banner" role="status">
          These are <strong>samples</strong> that come with Palimpsest: no session was found in your home.
        </p>
      )}
      {about?.indexing != null && <Indexing done={about.indexing.done} all={about.indexing.all} />}
      {about?.diagnostics.map((message) => (
        <p class="banner trouble" key={message}>
          {message}
        </p>
      ))}
      <div class="list-body">
        <nav class={`facets${isNarrowing ? ' open' : ''}`} aria-label="Narrow the list">
          <label class="sort">
            Sort
            <select value={sort} onChange={(event) => change((query) => query.set('sort', event.currentTarget.value))}>
              {(Object.entries(SORTS) as [Sort, string][]).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {FACETS.map((facet) => (
            <FacetChoices
              key={facet}
              facet={facet}
              choices={choices[facet]}
              wanted={chosen[facet]}
              choose={(value) =>
                change((query) => {
                  const others = query.getAll(facet).filter((one) => one !== value);
                  const isChosen = others.length < query.getAll(facet).length;
                  query.delete(facet);
                  for (const one of isChosen ? others : [...others, value]) query.append(facet, one);
                })
              }
            />
          ))}
        </nav>
        <main class="rows" ref={view.place} tabIndex={-1}>
          <p class="count" role="status">
            {about === null ? 'Looking for sessions …' : summary}
          </p>
          {text.length > 1 && <TextHits text={text} chosen={chosen} hasIndex={about?.has_index === true} />}
          {trouble !== null && <p class="empty trouble">{trouble}</p>}
          {about !== null && shown.count === 0 && trouble === null && (
            <p class="empty">
              {matching.length > 0 || text === ''
                ? 'No session fits.'
                : 'No title, project, id or model has these words.'}{' '}
              {narrowed > 0 && (
                <button
                  type="button"
                  class="link"
                  onClick={() =>
                    change((query) => {
                      for (const facet of FACETS) query.delete(facet);
                    })
                  }
                >
                  Show all kinds
                </button>
              )}
            </p>
          )}
          <ul class="row-list" ref={view.list} style={{ height: `${shown.count * ROW}px` }} aria-label="Sessions">
            {visible.map(({ row, folded, isUnder }, i) => (
              <Row
                key={row.key}
                row={row}
                folded={folded}
                isUnder={isUnder}
                isOpen={opened.has(row.key)}
                isChosen={view.first + i === chosenRow}
                now={now}
                top={(view.first + i) * ROW}
                choose={() => setChosenRow(view.first + i)}
                unfold={() => setOpened(toggled(opened, row.key))}
              />
            ))}
          </ul>
        </main>
      </div>
      {help.isOpen && <Help close={help.toggle} page="list" />}
    </div>
  );
}

/** Which row has the focus does not matter: keys may have chosen another since. */
function isOnRow({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('.row-link') !== null;
}

function Indexing({ done, all }: { done: number; all: number }) {
  return (
    <p class="banner" role="status">
      Reading your history: {size(done)} of {size(all)}. What has been read can be used already.
      <progress value={done} max={all} aria-label="Read so far" />
    </p>
  );
}

interface FacetProps {
  facet: Facet;
  choices: readonly Choice[];
  wanted: string[];
  choose: (value: string) => void;
}

const FACET_NAMES: Record<Facet, string> = {
  agent: 'Agent',
  event: 'What happened',
  date: 'Last used',
  model: 'Model',
  size: 'Size',
  project: 'Project',
};

function FacetChoices({ facet, choices, wanted, choose }: FacetProps) {
  if (choices.length === 0) return null;
  return (
    <fieldset>
      <legend>{FACET_NAMES[facet]}</legend>
      {choices.map(({ value, name, count }) => (
        <label key={value} title={value}>
          <input type="checkbox" checked={wanted.includes(value)} onChange={() => choose(value)} />
          <span class="choice">{name}</span>
          <span class="choice-count">{count.toLocaleString('en')}</span>
        </label>
      ))}
    </fieldset>
  );
}

function addressOf(query: URLSearchParams): string {
  return query.size === 0 ? '/' : `/?${query}`;
}

function matchingRows(rows: readonly SessionRow[], text: string): readonly SessionRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const told =
      `${row.title ?? ''}\n${row.project ?? ''}\n${row.id}\n${row.agent}\n${row.models.join(' ')}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
}

function fitting(rows: readonly SessionRow[], chosen: Chosen, now: number): readonly SessionRow[] {
  return isAny(chosen) ? rows : rows.filter((row) => fits(row, chosen, now));
}

function sorted(rows: readonly SessionRow[], sort: Sort): readonly SessionRow[] {
  if (sort === 'newest') return rows;
  if (sort === 'oldest') return rows.toReversed();
  const of = (row: SessionRow) => (sort === 'largest' ? row.bytes : row.events.reduce((sum, count) => sum + count, 0));
  return rows.toSorted((a, b) => of(b) - of(a));
}

interface Listed {
  row: SessionRow;
  folded: number;
  isUnder: boolean;
}

/** What the list shows: asked for one by one, since of 50,000 rows a dozen can be seen. */
interface Shown {
  count: number;
  at(index: number): Listed;
  /** Those that are folded among them. */
  sessions: number;
  bytes: number;
}

/** Sessions of one piece of work stand under the newest of them. Who searches wants to see all that fit. */
function listed(rows: readonly SessionRow[], opened: ReadonlySet<string>, isSearch: boolean): Shown {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  if (isSearch || rows.every((row) => row.folded_under === null))
    return {
      count: rows.length,
      at: (i) => ({ row: rows[i] as SessionRow, folded: 0, isUnder: false }),
      sessions: rows.length,
      bytes,
    };
  const there = new Set(rows.map(({ key }) => key));
  const isFolded = (row: SessionRow) => row.folded_under !== null && there.has(row.folded_under);
  const under = Map.groupBy(rows.filter(isFolded), (row) => row.folded_under);
  const all = rows.flatMap((row): Listed[] => {
    if (isFolded(row)) return [];
    const own = under.get(row.key) ?? [];
    const first = { row, folded: own.length, isUnder: false };
    return opened.has(row.key) ? [first, ...own.map((row) => ({ row, folded: 0, isUnder: true }))] : [first];
  });
  return { count: all.length, at: (i) => all[i] as Listed, sessions: rows.length, bytes };
}

function summaryOf({ sessions, bytes }: Shown, all: number): string {
  return sessions === all
    ? `${counted(all, 'session')}, ${size(bytes)}`
    : `${sessions.toLocaleString('en')} of ${counted(all, 'session')}`;
}
