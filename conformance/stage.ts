// Where the events of a scenario are made: the sandbox, and the few things that one does with a client in it.

import { readdirSync } from 'node:fs';
import type { InstalledClient } from './clients.ts';
import { inSandbox, type RunOptions, runClient, type Sandbox } from './sandbox.ts';
import { expectEqual, type Scenario } from './scenario.ts';
import type { Script } from './script.ts';
import { type Told, toldOf } from './told.ts';

/** How an event is made, and what must be read of it afterwards. */
export interface EventScenario {
  name: string;
  /** Only for versions that begin so. */
  versions?: string;
  /** "Go on." is always answered. */
  script?: Script;
  act(stage: Stage): Promise<void>;
  expected: Told[];
}

export interface Stage extends Sandbox {
  /** Runs the client without a terminal. */
  run(args: string[], options?: RunOptions): Promise<void>;
}

/** Makes the events with the client, reads its home, and compares. */
export function eventScenario(client: InstalledClient, { name, script, act, expected }: EventScenario): Scenario {
  const run = () =>
    inSandbox(client, async (sandbox) => {
      sandbox.api.script({ 'Go on.': [{ text: 'Going on.' }], ...script });
      let last = '';
      const stage: Stage = {
        ...sandbox,
        run: async (args, options) => {
          const { code, stdout, stderr } = await runClient(sandbox, args, options);
          last = `the client ended with ${code}: ${stderr}${stdout}`.slice(0, 300);
        },
      };
      await act(stage);
      try {
        expectEqual(toldOf(sandbox.home), expected);
      } catch (error) {
        throw new Error(`${(error as Error).message}\n    ${last}`);
      }
      return `${expected.length} sessions as made`;
    });
  return { part: 'events', client, name, run };
}

/** Whether a file of this name appeared in the project: the tool runs. */
export function appeared({ work }: Sandbox, name: string): () => boolean {
  return () => readdirSync(work).includes(name);
}

/** Whether the server was asked for an answer to this prompt. */
export function asked({ api }: Sandbox, prompt: string): () => boolean {
  return () => api.requests.some((body) => JSON.stringify(body).includes(prompt));
}
