// Codex as editors use it: its app server, which asks the editor for approval.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as passed } from 'node:timers/promises';
import { type Sandbox, until } from './sandbox.ts';

export interface AppServer {
  request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  startThread(): Promise<string>;
  /** Begins a turn and does not wait for its end. Gives its id. */
  beginTurn(threadId: string, prompt: string): Promise<string>;
  /** Waits until so many turns have ended. */
  turnsEnded(count: number): Promise<void>;
}

interface ServerMessage {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** Talks to an app server that gets the same decision whenever it asks. */
export async function withAppServer(
  sandbox: Sandbox,
  decision: 'accept' | 'decline' | 'cancel',
  body: (server: AppServer) => Promise<void>,
): Promise<void> {
  const [program = '', ...first] = sandbox.client.command;
  const args = [...first, '-c', 'approval_policy="on-request"', '-c', 'sandbox_mode="read-only"', 'app-server'];
  const child = spawn(program, args, { cwd: sandbox.work, env: sandbox.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);
  const waiting = new Map<number, (message: ServerMessage) => void>();
  let sent = 0;
  let ended = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as ServerMessage; // the protocol's own shape
    if (message.method === 'turn/completed') ended++;
    if (message.id === undefined) return;
    if (message.method !== undefined) send({ id: message.id, result: { decision } });
    else waiting.get(message.id)?.(message);
  });
  const request: AppServer['request'] = async (method, params) => {
    const id = ++sent;
    const answered = new Promise<ServerMessage>((done) => waiting.set(id, done));
    send({ id, method, params });
    const { result, error } = await Promise.race([
      answered,
      passed(20_000, { error: { message: 'no answer' } } as ServerMessage),
    ]);
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  await request('initialize', { clientInfo: { name: 'conformance', title: 'conformance', version: '1' } });
  send({ method: 'initialized' });
  await body({
    request,
    startThread: async () => idIn(await request('thread/start', { cwd: sandbox.work }), 'thread'),
    beginTurn: async (threadId, text) =>
      idIn(await request('turn/start', { threadId, input: [{ type: 'text', text }] }), 'turn'),
    turnsEnded: (count) => until(() => ended >= count, `${count} turns to end`),
  });
  await passed(500);
  const exited = new Promise<void>((done) => child.on('exit', () => done()));
  child.stdin.end();
  child.kill('SIGTERM');
  await Promise.race([exited, passed(3000)]);
}

function idIn(result: Record<string, unknown>, key: string): string {
  return (result[key] as { id: string }).id; // the protocol's own shape
}
