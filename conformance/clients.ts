// The pinned clients: what they are called, how they are installed, how they are started. They are test tools and lie
// outside of the project, one folder per client and version; what is there is not installed again.

import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentName } from '../src/index.ts';

/** A client of a fixed version. */
export interface Client {
  agent: AgentName;
  version: string;
  package: string;
  /** Below `node_modules`; a script is started with this Node. May hold a pattern. */
  program: string;
  /** Light enough for every run on a fresh machine. */
  small: boolean;
}

/** A client that is there. */
export interface InstalledClient extends Client {
  /** "claude-code 2.0.42" */
  name: string;
  /** Program and first arguments. */
  command: string[];
}

const platform = `${process.platform}-${process.arch}`;

export const CLIENTS: Client[] = [
  {
    agent: 'claude-code',
    version: '2.0.42',
    package: '@anthropic-ai/claude-code',
    program: '@anthropic-ai/claude-code/cli.js',
    small: true,
  },
  {
    agent: 'claude-code',
    version: '2.1.325',
    package: '@anthropic-ai/claude-code',
    // The package itself holds a stand-in that an install script replaces: the program is in the package of the platform.
    program: `@anthropic-ai/claude-code-${platform}/claude`,
    small: false,
  },
  {
    agent: 'codex',
    version: '0.166.0',
    package: '@openai/codex',
    // Not the launcher: signals should reach the program itself.
    program: `@openai/codex-${platform}/vendor/*/bin/codex`,
    small: false,
  },
  {
    agent: 'gemini',
    version: '0.61.0',
    package: '@google/gemini-cli',
    program: '@google/gemini-cli/bundle/gemini.js',
    small: true,
  },
];

/** Where the clients lie if nothing else is said. */
export function clientsFolder(): string {
  return process.env.PALIMPSEST_CLIENTS ?? join(tmpdir(), 'palimpsest-clients');
}

/** Installs a client, unless it is there. */
export async function installed(client: Client, folder: string): Promise<InstalledClient> {
  const root = join(folder, `${client.agent}-${client.version}`);
  const marker = join(root, 'complete');
  if (!existsSync(marker)) {
    await install(client, root);
    writeFileSync(marker, `${client.package} ${client.version}\n`);
  }
  const program = programOf(client, root);
  if (program === undefined) throw new Error(`${marker} is there, but not ${client.program}. Remove ${root}.`);
  const command = program.endsWith('.js') ? [process.execPath, program] : [program];
  return { ...client, name: `${client.agent} ${client.version}`, command };
}

async function install(client: Client, root: string): Promise<void> {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  await promisify(execFile)('npm', ['install', '--prefix', root, ...options, `${client.package}@${client.version}`], {
    cwd: root,
    timeout: 300_000,
  });
  if (programOf(client, root) === undefined)
    throw new Error(`${client.package} ${client.version} has no ${client.program}`);
}

function programOf(client: Client, root: string): string | undefined {
  const [found] = globSync(client.program, { cwd: join(root, 'node_modules') });
  return found === undefined ? undefined : join(root, 'node_modules', found);
}
