// What a session's rows tell about the session itself.

import type { OutlineHead, OutlineMessage, RowIds } from '../../schema/outline.ts';
import { type JsonObject, stringAt } from '../json-access.ts';
import { titleFrom } from '../new-head.ts';
import { CLONE_ROW } from './records.ts';
import { begunAt } from './rows.ts';

type Title = Pick<OutlineHead, 'title' | 'title_source'>;

export class HeadFacts {
  readonly head: OutlineHead;
  /** `summary` rows are titles; the leaf may lie in another file: see links.ts. */
  readonly summaries: { leaf: string; title: string }[] = [];
  private custom: string | null = null;
  private generated: string | null = null;
  private firstPrompt: string | null = null;
  /** Neighbours mostly agree: only what differs from the row before is looked at. */
  private last: Pick<JsonObject, string> = {};
  private readonly cwds = new Set<string>();
  private readonly branches = new Set<string>();
  private readonly versions = new Set<string>();
  private readonly sessionIds = new Set<string>();

  constructor(head: OutlineHead) {
    this.head = head;
  }

  row(row: JsonObject): void {
    if (
      row.cwd !== this.last.cwd ||
      row.version !== this.last.version ||
      row.gitBranch !== this.last.gitBranch ||
      row.sessionId !== this.last.sessionId
    ) {
      this.last = row;
      addTo(this.cwds, row.cwd);
      addTo(this.branches, row.gitBranch);
      addTo(this.versions, row.version);
      addTo(this.sessionIds, row.sessionId);
    }
    if (row.type === CLONE_ROW) this.cloned(row);
    else if (row.type === 'custom-title') this.custom = stringAt(row, 'customTitle') ?? this.custom;
    else if (row.type === 'ai-title') this.generated = stringAt(row, 'aiTitle') ?? this.generated;
    else if (row.type === 'summary') {
      this.summaries.push({ leaf: stringAt(row, 'leafUuid') ?? '', title: stringAt(row, 'summary') ?? '' });
    }
  }

  private cloned(row: JsonObject): void {
    this.head.lineage.cloned_from = stringAt(row, 'clonedFrom') ?? null;
    if (row.estimate !== undefined) this.head.extra.estimate = row.estimate;
  }

  prompt(text: () => string): void {
    this.firstPrompt ??= text().trim() || null;
  }

  customTitle(title: string): void {
    this.custom ??= title;
  }

  /** `caveats` may be older than the session: see isCaveat. */
  finish(messages: readonly OutlineMessage[], rowIds: RowIds, caveats: ReadonlySet<number>): OutlineHead {
    const models = new Set<string>();
    // Timestamps run backwards in most files: the end is the latest, not that of the last row.
    let ended_at: string | null = null;
    for (const { ended_at: end, timestamp, model } of messages) {
      const time = end ?? timestamp;
      if (time !== null && (ended_at === null || time > ended_at)) ended_at = time;
      if (model !== null && model !== '<synthetic>') models.add(model);
    }
    Object.assign(this.head, {
      ...this.title(rowIds),
      project: this.head.project ?? [...this.cwds][0] ?? null,
      cwds: [...this.cwds],
      git_branches: [...this.branches],
      client_versions: [...this.versions],
      models: [...models],
      started_at: this.begunAt(messages, caveats),
      ended_at,
    });
    const others = [...this.sessionIds].filter(
      (id) => id !== this.head.id && id !== this.head.lineage.parent?.session_id,
    );
    if (others.length > 0) this.head.extra.other_session_ids = others;
    return this.head;
  }

  private begunAt(messages: readonly OutlineMessage[], caveats: ReadonlySet<number>): string | null {
    const first = messages.findIndex(({ timestamp }) => timestamp !== null);
    const own = messages.find(({ timestamp }, i) => timestamp !== null && !caveats.has(i))?.timestamp ?? null;
    return begunAt(caveats.has(first) ? (messages[first]?.timestamp ?? null) : null, own);
  }

  private title(rowIds: RowIds): Title {
    if (this.custom !== null) return { title: this.custom, title_source: 'custom' };
    if (this.generated !== null) return { title: this.generated, title_source: 'generated' };
    const summary = this.summaries.findLast((entry) => rowIds.has(entry.leaf));
    if (summary !== undefined) return { title: summary.title, title_source: 'summary' };
    if (this.firstPrompt === null) return { title: null, title_source: null };
    return { title: titleFrom(this.firstPrompt), title_source: 'first-prompt' };
  }
}

function addTo(set: Set<string>, value: unknown): void {
  if (typeof value === 'string' && value !== '') set.add(value);
}
