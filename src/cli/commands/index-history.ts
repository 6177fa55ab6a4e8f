import { storeExtent } from '../../reports.ts';
import { counted, plain, size } from '../../shown.ts';
import { say, writeJson } from '../output.ts';
import { type StoreOptions, withStore } from '../stored.ts';

interface IndexFlags extends StoreOptions {
  json?: boolean;
}

/** Everything at once: what is read once need not be read again for the texts of tools. */
export async function indexHistory(flags: IndexFlags): Promise<void> {
  await withStore(flags, 2, ({ store, roots, isCurrent }) => {
    const extent = { ...storeExtent(store, roots), folder: store.folder, is_current: isCurrent };
    if (flags.json === true) writeJson('index', extent);
    else {
      const { sessions, history_bytes, bytes, folder } = extent;
      say(
        `${counted(sessions, 'session')} (${size(history_bytes)}) can be searched; the index takes ${size(bytes)} in ${plain(folder ?? 'memory', 200)}.`,
      );
    }
  });
}
