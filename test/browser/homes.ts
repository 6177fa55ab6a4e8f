// Homes made for the browser tests: native sessions as Claude Code writes them, as small as they can be.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = '/home/dev/made';

export interface MadeSession {
  id: string;
  rows: object[];
}

export function homeOf(sessions: MadeSession[]): { home: string; fileOf: (id: string) => string } {
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-made-'));
  const folder = join(home, '.claude', 'projects', '-home-dev-made');
  mkdirSync(folder, { recursive: true });
  const fileOf = (id: string) => join(folder, `${id}.jsonl`);
  for (const { id, rows } of sessions)
    writeFileSync(fileOf(id), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { home, fileOf };
}

export function sessionId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

interface RowPlace {
  session: string;
  number: number;
}

/** Rows of one session, each the child of the one before. */
export class Rows {
  readonly rows: object[] = [];
  private readonly session: string;

  constructor(session: string) {
    this.session = session;
  }

  prompt(text: string): this {
    return this.add({ type: 'user', message: { role: 'user', content: text } });
  }

  reply(...content: object[]): this {
    const usage = { input_tokens: 100 * (this.rows.length + 1), output_tokens: 10 };
    const message = { id: `msg_${this.rows.length}`, role: 'assistant', model: 'claude-opus-5-5', content, usage };
    return this.add({ type: 'assistant', requestId: `req_${this.rows.length}`, message });
  }

  text(text: string): this {
    return this.reply({ type: 'text', text });
  }

  call(name: string, input: object, result: unknown): this {
    const id = `toolu_${this.rows.length}`;
    this.reply({ type: 'tool_use', id, name, input });
    const content = [{ type: 'tool_result', tool_use_id: id, content: result }];
    return this.add({ type: 'user', message: { role: 'user', content } });
  }

  /** The reply before it was stopped. */
  interruption(): this {
    const content = [{ type: 'text', text: '[Request interrupted by user]' }];
    return this.add({ type: 'user', message: { role: 'user', content } });
  }

  /** The model could not be reached. */
  failure(): this {
    const content = [{ type: 'text', text: 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}' }];
    const message = { id: `msg_${this.rows.length}`, role: 'assistant', model: '<synthetic>', content };
    return this.add({ type: 'assistant', isApiErrorMessage: true, error: 'rate_limit', message });
  }

  row(row: object): this {
    this.rows.push(row);
    return this;
  }

  private add(row: object): this {
    const place: RowPlace = { session: this.session, number: this.rows.length };
    this.rows.push({
      parentUuid: place.number === 0 ? null : uuidOf({ ...place, number: place.number - 1 }),
      isSidechain: false,
      userType: 'external',
      cwd: PROJECT,
      sessionId: this.session,
      version: '2.1.300',
      gitBranch: 'main',
      uuid: uuidOf(place),
      timestamp: new Date(Date.UTC(2026, 10, 1, 12, 0, place.number)).toISOString(),
      ...row,
    });
    return this;
  }
}

export function uuidOf({ session, number }: RowPlace): string {
  return `${session.slice(-8)}-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
