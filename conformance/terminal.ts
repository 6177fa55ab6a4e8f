// A client at a terminal: tmux holds it, with a server of its own that ends with the sandbox.

import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Sandbox } from './sandbox.ts';
import { NotRun } from './scenario.ts';

export interface Terminal {
  /** Types a line and sends it. */
  say(text: string): Promise<void>;
  /** Types without sending. */
  type(text: string): Promise<void>;
  /** Presses keys, by the names that tmux gives them. */
  press(...keys: string[]): Promise<void>;
  screen(): Promise<string>;
  /** Waits until the screen shows something. */
  sees(pattern: RegExp, seconds?: number): Promise<void>;
  /** Waits until it has not shown something for a second. */
  rests(busy: RegExp, seconds?: number): Promise<void>;
  /** Presses Ctrl-C until the client goes, and ends the server. */
  quit(): Promise<void>;
  close(): Promise<void>;
}

/** A client takes a line and its end for two things only if there is time between them. */
const BEFORE_ENTER = 600;

/** Starts the client in a terminal of its own. */
export async function openTerminal(
  sandbox: Sandbox,
  args: string[],
  env: Record<string, string> = {},
): Promise<Terminal> {
  expectTmux();
  const all = { ...sandbox.env, ...env };
  const tmux = async (...words: string[]) => {
    const socket = ['-S', join(sandbox.home, 'tmux.sock'), '-f', '/dev/null'];
    const { stdout } = await promisify(execFile)('tmux', [...socket, ...words], { cwd: sandbox.work, env: all });
    return stdout;
  };
  const variables = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const command = ['env', '-i', ...variables, ...sandbox.client.command, ...args];
  await tmux('new-session', '-d', '-s', 'client', '-x', '160', '-y', '50', ...command);
  return terminalOf(tmux);
}

function expectTmux(): void {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
  } catch {
    throw new NotRun('there is no tmux');
  }
}

function terminalOf(tmux: (...words: string[]) => Promise<string>): Terminal {
  const screen = () => tmux('capture-pane', '-p', '-t', 'client').catch(() => '(the client has ended)');
  const type = async (text: string) => void (await tmux('send-keys', '-t', 'client', '-l', '--', text));
  const press = async (...keys: string[]) => void (await tmux('send-keys', '-t', 'client', ...keys));
  const close = async () => void (await tmux('kill-server').catch(() => ''));
  const holds = async (isSo: (text: string) => boolean, times: number, what: string, seconds: number) => {
    let seen = 0;
    for (let i = 0; i < seconds * 5; i++) {
      seen = isSo(await screen()) ? seen + 1 : 0;
      if (seen >= times) return;
      await passed(200);
    }
    throw new Error(`waited ${seconds} s for the screen ${what}:\n${shortened(await screen())}`);
  };
  return {
    type,
    press,
    screen,
    async say(text) {
      await type(text);
      await passed(BEFORE_ENTER);
      await press('Enter');
    },
    sees: (pattern, seconds = 30) => holds((text) => pattern.test(text), 1, `to show ${pattern}`, seconds),
    rests: (busy, seconds = 30) => holds((text) => !busy.test(text), 5, `to be without ${busy}`, seconds),
    async quit() {
      for (let i = 0; i < 2; i++) {
        await press('C-c').catch(() => {}); // it may be gone
        await passed(600);
      }
      await close();
    },
    close,
  };
}

function shortened(screen: string): string {
  const lines = screen.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(-15)
    .map((line) => `    | ${line}`)
    .join('\n');
}
