// Lists come from the index where there is one: it is brought up to date first, if that is little work. Otherwise the files
// are read as if there were none.

import { type Home, openStoredHome } from '../index.ts';
import { hasStore } from '../reports.ts';
import { type FilterOptions, sayTrouble } from './choose.ts';
import { sayOnce } from './output.ts';
import { placesFrom, storeFolder } from './places.ts';
import { NewerIndex, type StoreOptions, withStore } from './stored.ts';

/** More than this is not read before a list is shown. */
const MOST_BYTES = 64 * 1024 * 1024;

type HomeOf = () => Home;

/** `use` gets the sessions that the index holds; undefined where they must be looked for. */
export async function withStoredHome<T>(
  options: FilterOptions & StoreOptions,
  use: (home: HomeOf | undefined) => T | Promise<T>,
): Promise<T> {
  const folder = storeFolder(options, process.env);
  if (folder === null || !hasStore(folder)) return use(undefined);
  try {
    return await withStore(
      options,
      1,
      ({ store, isCurrent }) => {
        if (!isCurrent) return use(undefined);
        return use(() => {
          const home = openStoredHome(placesFrom(options, process.env), store);
          sayTrouble(home);
          return home;
        });
      },
      { most: MOST_BYTES, needsSums: false },
    );
  } catch (error) {
    if (!(error instanceof NewerIndex)) throw error;
    sayOnce('The index was made by a newer version of Palimpsest: the files are read instead.');
    return use(undefined);
  }
}
