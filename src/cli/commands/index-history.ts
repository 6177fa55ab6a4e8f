import { storeBytes, storeExtent } from '../../reports.ts';
import { counted, plain, size } from '../../shown.ts';
import { say, writeJson } from '../output.ts';
import { type StoreOptions, withStore } from '../stored.ts';

interface IndexFlags extends StoreOptions {
  json?: boolean;
}

/** Everything at once: what is read once need not be read again for the texts of tools. */
export async function indexHistory(flags: IndexFlags): Promise<void> {
  const told = await withStore(
    flags,
    2,
    ({ store, roots, isCurrent, couldWrite }) => {
      // Why it could not was said.
      if (!couldWrite) process.exitCode = 1;
      return { ...storeExtent(store, roots), folder: store.folder, is_current: isCurrent };
    },
    { isOnlyWritten: true },
  );
  const { sessions, history_bytes, folder, is_current } = told;
  const bytes = folder === null ? 0 : storeBytes(folder);
  if (flags.json === true) writeJson('index', { sessions, history_bytes, bytes, folder, is_current });
  else {
    // Of what was not read to the end nobody knows how much there is.
    const read = is_current ? ` (${size(history_bytes)}) can be searched` : ' can be searched so far';
    if (folder !== null)
      say(`${counted(sessions, 'session')}${read}; the index takes ${size(bytes)} in ${plain(folder, 200)}.`);
  }
}
