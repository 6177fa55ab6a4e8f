// A place of its own for one scenario: a home, a project, a model server, and nothing of the person who runs it. What the
// client and its tools leave running is ended with it.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import type { InstalledClient } from './clients.ts';
import { type MockApi, mockApi } from './mock-api.ts';
import { environment, writeSettings } from './settings.ts';

/** A picture of one red dot. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

export interface Sandbox {
  client: InstalledClient;
  home: string;
  work: string;
  api: MockApi;
  env: Record<string, string>;
}

/** How a client's process ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const open = new Map<string, () => Promise<void>>();

/** Runs `body` in a sandbox for a client, and leaves nothing of it behind. */
export async function inSandbox<T>(client: InstalledClient, body: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await openSandbox(client);
  try {
    return await body(sandbox);
  } finally {
    await open.get(sandbox.home)?.();
  }
}

/** A sandbox that stays until `closeAll`. */
export async function openSandbox(client: InstalledClient): Promise<Sandbox> {
  // The real path: Claude Code names its folder for a project after it.
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-conformance-')));
  const api = await mockApi();
  const sandbox = { client, home, work: join(home, 'proj'), api, env: environment(client, home, api.port) };
  open.set(home, async () => {
    open.delete(home);
    endAllOf(home);
    await api.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  makeProject(sandbox);
  writeSettings(sandbox, client);
  return sandbox;
}

/** Closes what is still open. */
export async function closeAll(): Promise<void> {
  for (const close of [...open.values()]) await close();
}

/** The same place, for another client: its settings are added. */
export function withClient(sandbox: Sandbox, client: InstalledClient): Sandbox {
  writeSettings(sandbox, client);
  return { ...sandbox, client, env: environment(client, sandbox.home, sandbox.api.port) };
}

function makeProject({ work }: Sandbox): void {
  mkdirSync(work);
  writeFileSync(join(work, 'a.txt'), 'alpha\nbeta\ngamma\n');
  writeFileSync(join(work, 'dot.png'), Buffer.from(DOT, 'base64'));
}

export interface RunOptions {
  /** Sends a signal to the client, and to it alone, so many milliseconds after `until` was true. */
  signal?: { name: NodeJS.Signals; until: () => boolean; after?: number };
  env?: Record<string, string>;
}

/** Runs the client to its end, or for two minutes. */
export async function runClient(sandbox: Sandbox, args: string[], options: RunOptions = {}): Promise<Ended> {
  const [program = '', ...first] = sandbox.client.command;
  const env = { ...sandbox.env, ...options.env };
  const child = spawn(program, [...first, ...args], { cwd: sandbox.work, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  // `exit`, not `close`: what a killed client leaves running may hold the pipes open.
  const exited = new Promise<number | null>((done) => child.on('exit', (code) => done(code)));
  if (options.signal !== undefined) {
    await until(options.signal.until, 'the moment to send a signal');
    await passed(options.signal.after ?? 0);
    child.kill(options.signal.name);
  }
  const code = await exited;
  clearTimeout(timer);
  await passed(50);
  child.stdout.destroy();
  child.stderr.destroy();
  return { code, ...said };
}

/** Waits until something is so; says what it waited for if it never is. */
export async function until(isSo: () => boolean, what: string, seconds = 30): Promise<void> {
  for (let i = 0; i < seconds * 10; i++) {
    if (isSo()) return;
    await passed(100);
  }
  throw new Error(`waited ${seconds} s for ${what}`);
}

/** Ends every process that has this home as its own: it was started from here, or by something that was. */
function endAllOf(home: string): void {
  for (const pid of processesOf(home)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

function processesOf(home: string): number[] {
  if (process.platform !== 'linux') return pidsOfCommand(home);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`HOME=${home}`))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Where there is no /proc: those that name the home on their command line. */
function pidsOfCommand(home: string): number[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(home)).map((line) => Number.parseInt(line, 10));
}
