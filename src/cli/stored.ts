// The store as commands use it: where it lies, what is said about it, progress, and Ctrl-C.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import {
  type CurrentStore,
  currentStore,
  discard,
  isBroken,
  loadPrices,
  NewerStore,
  type PriceFile,
  type StoreRequest,
  storePrices,
} from '../reports.ts';
import { fail, UserError } from './failure.ts';
import { sayOnce } from './output.ts';
import { type PlaceOptions, placesFrom, storeFolder, troubleWithHomes } from './places.ts';
import { progressTo } from './progress.ts';

export interface StoreOptions extends PlaceOptions {
  store?: string;
  prices?: string;
}

/** It can neither be read nor be made anew; who needs no index can do without. */
export class NewerIndex extends UserError {}

/** Threads that read, where nobody says otherwise. */
const WORKERS = Math.min(4, availableParallelism());

/** The store, true to the files as they are now. */
export async function withStore<T>(
  options: StoreOptions,
  tier: StoreRequest['tier'],
  use: (current: CurrentStore, wasStopped: boolean) => T | Promise<T>,
  /** `most`: where more bytes than this would have to be read, the store stays as it is. */
  asked: Pick<StoreRequest, 'most' | 'isOnlyWritten' | 'needsSums'> = {},
): Promise<T> {
  const places = placesFrom(options, process.env);
  const trouble = options.home === undefined ? undefined : troubleWithHomes(places);
  if (trouble !== undefined) fail(trouble);
  const { version, load } = storePrices(priceFile(options.prices));
  const shown = progressTo('indexing');
  const folder = storeFolder(options, process.env);
  let wasStopped = false;
  const ask = async () => {
    const stop = stopOnInterrupt();
    const current = await opened({
      folder,
      places,
      tier,
      ...asked,
      workers: Number(process.env.PALIMPSEST_WORKERS) || WORKERS,
      endsThen: true,
      say: sayOnce,
      prices: { version, load: (models, known) => usable(load(models, known)) },
      progress: shown.reached,
      isStopped: stop.isStopped,
    }).finally(() => {
      wasStopped = stop.isStopped();
      stop.forget();
    });
    shown.end();
    for (const message of current.diagnostics) sayOnce(message);
    try {
      return await use(current, wasStopped);
    } finally {
      current.close();
    }
  };
  try {
    return await ask();
  } catch (error) {
    // Some damage shows itself only when it is asked.
    if (error instanceof UserError || folder === null || !isBroken(folder, error)) throw error;
    discard(folder, sayOnce, 'was damaged');
    return await ask();
  } finally {
    shown.end();
    // As shells have it: what was asked for was not done to the end.
    if (wasStopped) process.exitCode = 130;
  }
}

async function opened(request: StoreRequest): Promise<CurrentStore> {
  try {
    return await currentStore(request);
  } catch (error) {
    throw error instanceof NewerStore ? new NewerIndex(error.message) : error;
  }
}

export function pricesOf(file: PriceFile | null) {
  return usable(loadPrices(file));
}

/** A price file may hold what no price file does. */
async function usable<T>(prices: Promise<T>): Promise<T> {
  try {
    return await prices;
  } catch (error) {
    return fail((error as Error).message);
  }
}

export function priceFile(option: string | undefined): PriceFile | null {
  const path = option ?? process.env.PALIMPSEST_PRICES;
  if (!path) return null;
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(`Cannot read the prices in ${path}: ${code === 'ENOENT' ? 'there is no such file' : message}.`);
  }
}

/**
 * The first Ctrl-C ends the reading in good order. Nobody listens for the second, nor for one while the answer is worked out: it
 * ends everything, also in the middle of a regular expression, which would let no listener have its turn.
 */
function stopOnInterrupt(): { isStopped: () => boolean; forget: () => void } {
  let stopped = false;
  const listener = () => {
    stopped = true;
  };
  process.once('SIGINT', listener);
  return { isStopped: () => stopped, forget: () => process.off('SIGINT', listener) };
}
