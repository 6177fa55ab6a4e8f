// Choosing a session on a terminal: type to filter, Enter to take.

import type { FoundFamily } from '../index.ts';
import { type Chosen, chooseMany, chooseOne, type FilterOptions, newestFirst } from './choose.ts';
import { fail } from './failure.ts';
import { type ListedSession, listed } from './listed.ts';
import { now } from './now.ts';
import { otherScreen, type PressedKey } from './other-screen.ts';
import { afterKey, emptyState, fitting, type Key, type PickerState, pickerLines } from './picker-state.ts';
import { screen } from './screen.ts';
import { isTerminal } from './terminal.ts';

/** The session that is named; without a name a person on a terminal chooses, and a program gets the newest of the folder. */
export async function chooseOrPick(
  id: string | undefined,
  flags: FilterOptions & { json?: boolean },
  what: string,
): Promise<Chosen> {
  const isPerson = isTerminal(0) && isTerminal(1) && flags.json !== true && process.env.TERM !== 'dumb';
  if (id !== undefined || !isPerson) return chooseOne(id, flags);
  const families = chooseMany([], flags).map(({ family }) => family);
  const family = await pick(families, what);
  return family === null ? fail('Nothing was chosen.') : { family, only: null };
}

/** So many are read; older ones are found by their id. */
const MOST = 500;

async function pick(families: FoundFamily[], what: string): Promise<FoundFamily | null> {
  let state = emptyState();
  // Two homes may hold the same id.
  const familyOf = new Map<ListedSession, FoundFamily>();
  const { promise, resolve } = Promise.withResolvers<PickerState>();
  const terminal = otherScreen({
    press: (key) => {
      state = afterKey(state, keyOf(key));
      if (state.ended === null) draw();
      else resolve(state);
    },
    resized: () => draw(),
  });
  const draw = () => terminal.show(pickerLines(state, what, screen(), now()));
  draw();
  try {
    const loaded = load(families, familyOf, (rows, isLoading) => {
      state = { ...state, rows, isLoading };
      if (state.ended === null) draw();
      return state.ended === null;
    });
    // What goes wrong while reading ends the picker; that all is read does not.
    const end = await Promise.race([promise, loaded.then(() => promise)]);
    const taken = end.ended === 'chosen' ? fitting(end)[end.selected] : undefined;
    return taken === undefined ? null : (familyOf.get(taken) ?? null);
  } finally {
    terminal.leave();
  }
}

function keyOf({ text, name, ctrl }: PressedKey): Key {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is typed, and nothing that steers
  const isText = text !== undefined && /^[^\u0000-\u001f\u007f]+$/.test(text);
  return { ...(name === undefined ? {} : { name }), ctrl, ...(isText ? { text } : {}) };
}

/** Reads one session after the other, and lets keys come through between them. */
async function load(
  families: FoundFamily[],
  familyOf: Map<ListedSession, FoundFamily>,
  show: (rows: ListedSession[], isLoading: boolean) => boolean,
): Promise<void> {
  const rows: ListedSession[] = [];
  for (const family of newestFirst(families).take(MOST)) {
    const sessions = listed(family, { quiet: true });
    for (const session of sessions) familyOf.set(session, family);
    rows.push(...sessions);
    if (!show(rows, true)) return;
    await new Promise((next) => setImmediate(next));
  }
  show(rows, false);
}
