// A store brought up to date after a file grew, in a process that has loaded everything it needs. Prints the seconds that
// this took, and the tokens as they are now.

import { currentStore, daySums, pricesOfModels, pricesVersion, usageReport } from '../../dist/index.js';

const [home = '', folder = ''] = process.argv.slice(2);
const [begun, used] = [performance.now(), process.cpuUsage()];
const { store, roots, isCurrent, close } = await currentStore({
  folder,
  places: { homes: [home] },
  tier: 1,
  workers: 1,
  prices: { version: pricesVersion(null), load: (models, known) => pricesOfModels(null, models, known) },
  say: (text) => {
    throw new Error(text);
  },
});
const { totals } = usageReport(daySums(store, roots), { by: 'month' });
close();
const wall = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(used);
if (!isCurrent) throw new Error('the store is not up to date');
console.log(JSON.stringify({ wall, cpu: (user + system) / 1e6, totals }));
