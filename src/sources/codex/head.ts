// What a thread's rows tell about the thread itself.

import type { OutlineHead, OutlineMessage } from '../../schema/outline.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../json-access.ts';
import { titleFrom } from '../new-head.ts';
import { timeIn } from '../times.ts';
import type { Row } from './rows.ts';

export class HeadFacts {
  readonly head: OutlineHead;
  /** `cli_version` of the file that was begun first. */
  version: string | null = null;
  model: string | null = null;
  /** `codex exec`: nobody is there to ask. A fork keeps its parent's originator, not its source. */
  headless = false;
  hasInstructions = false;
  private started: string | null = null;
  private firstPrompt: string | null = null;
  private name: string | null = null;
  private readonly cwds = new Set<string>();
  private readonly branches = new Set<string>();
  private readonly versions = new Set<string>();

  constructor(head: OutlineHead) {
    this.head = head;
  }

  /** Up to 0.47 what a request had brought was written when it was done: an abort loses it. "aborted by user" came with 0.54. */
  get losesCalls(): boolean {
    const [, minor] = /^0\.(\d+)\./.exec(this.version ?? '') ?? [];
    return minor !== undefined && Number(minor) < 54;
  }

  /** The first line of a file of this thread. Of several files, the first tells. */
  meta({ payload, native_type, pointer }: Row): void {
    const version = stringAt(payload, 'cli_version');
    if (version !== undefined) this.versions.add(version);
    this.cwd(payload);
    const git = objectAt(payload, 'git');
    const branch = stringAt(git, 'branch');
    if (branch !== undefined) this.branches.add(branch);
    if (this.started !== null) return;
    this.started = timeIn(payload.timestamp);
    this.version = version ?? null;
    this.headless = payload.originator === 'codex_exec' && (payload.source ?? 'exec') === 'exec';
    this.hasInstructions = stringAt(objectAt(payload, 'base_instructions'), 'text') !== undefined;
    this.head.dialect = native_type === 'header' ? (pointer === '' ? 'bare' : 'document') : dialectOf(payload);
    this.head.extra = extraOf(payload, git);
  }

  settings(payload: JsonObject, inherited: boolean): void {
    if (!inherited) this.cwd(payload);
    this.model = stringAt(payload, 'model') ?? this.model;
  }

  time(row: Row): void {
    if (row.time !== null && row.time > (this.head.ended_at ?? '')) this.head.ended_at = row.time;
  }

  prompt(text: string): void {
    this.firstPrompt ??= text.trim() || null;
  }

  threadName(name: string | undefined): void {
    this.name = name ?? this.name;
  }

  finish(messages: readonly OutlineMessage[]): OutlineHead {
    const { head } = this;
    const own = messages.filter((message) => message.inherited === null);
    head.started_at = this.started ?? own.find((message) => message.timestamp !== null)?.timestamp ?? null;
    head.cwds = [...this.cwds];
    head.project = head.cwds[0] ?? null;
    head.git_branches = [...this.branches];
    head.client_versions = [...this.versions];
    const answered = new Set(own.flatMap((message) => (message.model === null ? [] : [message.model])));
    // Where no reply came, the model that was asked.
    head.models = answered.size === 0 && this.model !== null ? [this.model] : [...answered];
    const first = this.firstPrompt === null ? null : titleFrom(this.firstPrompt);
    head.title = this.name ?? first;
    head.title_source = this.name !== null ? 'custom' : first === null ? null : 'first-prompt';
    return head;
  }

  private cwd(payload: JsonObject): void {
    const cwd = stringAt(payload, 'cwd');
    if (cwd !== undefined) this.cwds.add(cwd);
  }
}

/** By what the file says, never by the version: files are migrated, and resumed by other versions. */
function dialectOf(payload: JsonObject): string {
  return payload.history_mode === 'paginated' ? 'paginated' : 'legacy';
}

function extraOf(payload: JsonObject, git: JsonObject | undefined): OutlineHead['extra'] {
  const extra: OutlineHead['extra'] = {};
  for (const key of [
    'originator',
    'source',
    'thread_source',
    'model_provider',
    'agent_nickname',
    'agent_role',
    'agent_path',
  ])
    if (payload[key] !== undefined && payload[key] !== null) extra[key] = payload[key];
  if (isObject(git)) {
    const { branch: _, ...rest } = git;
    if (Object.keys(rest).length > 0) extra.git = rest;
  }
  return extra;
}
