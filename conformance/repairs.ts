// Sessions that are broken in one way each (fixtures/claude-code/broken-sessions), repaired by the doctor, and resumed with
// every version of the client. What must be sent stands in the fixture.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InstalledClient } from './clients.ts';
import { projectOf } from './clones.ts';
import { copied } from './program.ts';
import { expectResumed, type Planned } from './resumed.ts';
import type { SaidMessage } from './said-blocks.ts';
import { inSandbox, type Sandbox } from './sandbox.ts';
import type { Scenario } from './scenario.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/claude-code/broken-sessions', import.meta.url));
/** The model of the sessions: 2.1.325 leaves out the thinking of another one. */
const MODEL = 'claude-opus-4-6';

interface Broken {
  id: string;
  /** What else is done to its file: too large to be kept as a fixture. */
  change?: (text: string) => string;
  faults: { code: string; effect: string }[];
  /** "role: block", in the order sent. */
  repaired: string[];
}

export function repairScenarios(client: InstalledClient): Scenario[] {
  if (client.agent !== 'claude-code') return [];
  const all = JSON.parse(readFileSync(join(FIXTURE, 'doctor.json'), 'utf8')) as Broken[];
  return [...all, ...all.slice(0, 1).map(withLargeImage)]
    .map((broken) => ({ ...broken, faults: broken.faults.filter(({ effect }) => effect !== 'normal') }))
    .filter(({ faults }) => faults.length > 0)
    .map((broken) => ({
      part: 'repairs' as const,
      client,
      name: broken.faults.map(({ code }) => code).join(', '),
      run: () => inSandbox(client, (sandbox) => repaired(sandbox, broken)),
    }));
}

/** The whole session, with an image of 6 MB in its first prompt. */
function withLargeImage({ id, repaired }: Broken): Broken {
  const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(6 * 1024 * 1024) };
  const content = [
    { type: 'text', text: 'List the files.' },
    { type: 'image', source },
  ];
  const whole = `${id}-0000-4000-8000-000000000000`;
  const note = `[An image was left out of this copy: session ${whole}, message 00000001-0000-4000-8000-000000000001.]`;
  return {
    id,
    faults: [{ code: 'oversized-image', effect: 'refused' }],
    repaired: [...repaired.slice(0, 1), `user: text ${note}`, ...repaired.slice(1)],
    change: (text) => text.replace('"content":"List the files."', `"content":${JSON.stringify(content)}`),
  };
}

async function repaired(sandbox: Sandbox, { id, repaired, change }: Broken): Promise<string> {
  const folder = projectOf(sandbox);
  mkdirSync(folder, { recursive: true });
  const project = join(FIXTURE, 'native', '.claude', 'projects', '-home-me-demo');
  const file = readdirSync(project).find((name) => name.startsWith(id)) ?? '';
  const text = readFileSync(join(project, file), 'utf8').replaceAll(
    '"cwd":"/home/me/demo"',
    `"cwd":${JSON.stringify(sandbox.work)}`,
  );
  writeFileSync(join(folder, file), change?.(text) ?? text);
  const copy = (await copied(sandbox.home, ['doctor', id, '--fix'])) as Planned;
  await expectResumed({ sandbox, env: { ANTHROPIC_MODEL: MODEL } }, { ...copy, messages: repaired.map(asMessage) });
  return `${repaired.length} blocks sent`;
}

function asMessage(line: string): SaidMessage {
  const at = line.indexOf(': ');
  return { role: line.slice(0, at) as SaidMessage['role'], blocks: [line.slice(at + 2)] };
}
