// Sessions, events, tokens and what was said, read in one thread into a new store. Prints the tokens: they come from the
// full reader, not from the fast path. As commands do it: V8 is told that the process ends then.

import { openStore, pricesOfModels, pricesVersion, updateStore, usageReport, usageSums } from '../../dist/index.js';

const [home = '', folder = ''] = process.argv.slice(2);
const store = openStore(folder);
const { complete } = await updateStore(
  store,
  { homes: [home] },
  {
    tier: 1,
    workers: 1,
    endsThen: true,
    prices: { version: pricesVersion(null), load: (models, known) => pricesOfModels(null, models, known) },
  },
);
if (!complete) throw new Error('not everything was read');
const roots = store.main.prepare('select id from roots').all();
const sums = usageSums(
  store,
  roots.map(({ id }) => Number(id)),
);
console.log(JSON.stringify(usageReport(sums, { by: 'month' }).totals));
store.close();
