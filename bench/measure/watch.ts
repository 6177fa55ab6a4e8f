// How long the library takes from an append to the change being told, and what it uses when nothing happens. Told as JSON.

import { watch } from '../../dist/index.js';
import { type Appended, appender } from './append.ts';

const [home = '', appends = '', quiet = ''] = process.argv.slice(2);
const next = appender(home);
let [waiting, begun]: [Appended | undefined, number] = [undefined, 0];
let told = () => {};
const watching = watch({ homes: [home] }, ({ files }) => {
  if (files.some(({ path }) => path === waiting?.path)) told();
});
const times: number[] = [];
for (let i = 0; i < Number(appends); i++) {
  const { promise, resolve } = Promise.withResolvers<void>();
  told = resolve;
  waiting = next();
  begun = performance.now();
  waiting.append();
  await promise;
  times.push(performance.now() - begun);
  await new Promise((resume) => setTimeout(resume, 20 + ((i * 37) % 100)));
}
const before = process.cpuUsage();
await new Promise((resume) => setTimeout(resume, Number(quiet) * 1000));
const { user, system } = process.cpuUsage(before);
watching.close();
console.log(JSON.stringify({ times, cpu: (user + system) / 1e6, rss: process.memoryUsage().rss }));
