// Holds what we say against the real clients: events that were made with them, clones that they resume, contexts that they send.
//
//   npm run conformance -- [--small] [--only PATTERN] [--clients DIR] [--write-docs]

import { parseArgs } from 'node:util';
import { CLIENTS, clientsFolder, type InstalledClient, installed } from './clients.ts';
import { cloneScenarios } from './clones.ts';
import { contextScenarios } from './contexts.ts';
import { eventScenarios } from './events.ts';
import { type Outcome, tried, writeDocs } from './outcomes.ts';
import { repairScenarios } from './repairs.ts';
import { closeAll } from './sandbox.ts';
import { PARTS, type Scenario, titleOf } from './scenario.ts';

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    only: { type: 'string' },
    clients: { type: 'string', default: clientsFolder() },
    'write-docs': { type: 'boolean', default: false },
  },
});

const AT_ONCE = 2;

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void closeAll().finally(() => process.exit(1)));

const started = Date.now();
const clients = await Promise.all(
  CLIENTS.filter(({ small }) => small || !values.small).map((client) => installed(client, values.clients)),
);
console.log(`clients after ${seconds(started)}: ${clients.map(({ name }) => name).join(', ')}`);
const outcomes = await inParallel(scenariosOf(clients).filter(isWanted));
await closeAll();
if (values['write-docs']) writeDocs(outcomes, clients);
const failed = outcomes.filter(({ result }) => result !== 'passed');
for (const { title, result, detail } of failed) console.log(`\n${result.toUpperCase()} ${title}: ${detail}`);
console.log(`\nafter ${seconds(started)}`);
console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && outcomes.length > 0 ? 0 : 1;

function scenariosOf(all: InstalledClient[]): Scenario[] {
  const claudes = all.filter(({ agent }) => agent === 'claude-code');
  const scenarios = all.flatMap((client) => [
    ...eventScenarios(client),
    ...cloneScenarios(client, claudes),
    ...repairScenarios(client),
    ...contextScenarios(client),
  ]);
  return scenarios.sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part));
}

function isWanted(scenario: Scenario): boolean {
  return values.only === undefined || new RegExp(values.only).test(titleOf(scenario));
}

/** Two at a time: each has its own home, server and terminal. */
async function inParallel(scenarios: Scenario[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = new Array(scenarios.length);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < scenarios.length; at = next++) {
      const scenario = scenarios[at];
      if (scenario === undefined) return;
      const outcome = await tried(scenario);
      outcomes[at] = outcome;
      console.log(`${outcome.result.padEnd(7)} ${outcome.seconds.toFixed(1).padStart(5)} s  ${outcome.title}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(0)} s`;
}
