// Long runs of what the tests try a little of: damaged files, read in full and by the short way to their tokens.
// Usage: npm run soak -- [--count 100000] [--seed 1]

import { parseArgs } from 'node:util';
import { faultsOf } from '../src/schema-check.ts';
import { broken, damaged, documentsOf, randomFrom, type Whole, wholeFiles } from '../test/mutations.ts';
import { differences } from '../test/usage-equality.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!(count > 0) || !Number.isInteger(seed)) throw new Error('--count and --seed are whole numbers.');
const files = wholeFiles();
const random = randomFrom(seed);
const VALIDATE_EVERY = 20;
let failed = 0;

for (let i = 0; i < count; i++) {
  const file = random(files.length);
  const damage = random(2 ** 31);
  const result = damaged(files[file] as Whole, damage);
  const faults = [...attempt(() => broken(result)), ...attempt(() => wrongTokens(result))];
  if (i % VALIDATE_EVERY === 0)
    faults.push(
      ...attempt(() =>
        documentsOf(result)
          .flatMap(faultsOf)
          .map((fault) => `${fault.pointer} ${fault.message}`),
      ),
    );
  if (faults.length > 0) {
    failed++;
    console.log(`file ${file}, seed ${damage} (${result.done.join(', ')}): ${faults[0]}`);
  }
  if (process.stderr.isTTY && i % 1000 === 0) process.stderr.write(`\r${i} of ${count}`);
}
console.log(`seed ${seed}: ${count - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function wrongTokens({ source, path, bytes }: Whole): string[] {
  return differences(source, { [path]: bytes }).map(({ family }) => `the short way gives other tokens of ${family}`);
}

function attempt(run: () => string[]): string[] {
  try {
    return run();
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}
