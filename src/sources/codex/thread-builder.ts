// Takes the rows of one thread in order and gives its outline.

import type { Json, SourceRef } from '../../schema/blocks.ts';
import type { Outline, OutlineBlock } from '../../schema/outline.ts';
import type { Diagnostic } from '../../schema/session.ts';
import { type JsonObject, objectAt, stringAt, stringsAt } from '../json-access.ts';
import { heldTexts } from '../said.ts';
import type { OutlineOptions } from '../source.ts';
import { Calls } from './calls.ts';
import { Compactions } from './compaction.ts';
import { ContextTrack } from './context.ts';
import type { HeadFacts } from './head.ts';
import { type Account, Messages, type Owner } from './messages.ts';
import { isKnown } from './records.ts';
import { askedIn, Review } from './review.ts';
import { type Row, textOf } from './rows.ts';
import { Said } from './said.ts';
import { stopsIn } from './stops.ts';
import { countIn, Tokens } from './tokens.ts';
import { Turns } from './turns.ts';

/** Rows of which no message has anything, a third of all: they need not be held. */
const WORDLESS = new Set(['event_msg/token_count', 'event_msg/task_started', 'turn_context', 'token_usage_record']);

export class ThreadBuilder {
  readonly head: HeadFacts;
  readonly diagnostics: Diagnostic[] = [];
  readonly messages: Messages;
  private readonly turns = new Turns();
  private readonly calls: Calls;
  private readonly tokens: Tokens;
  private readonly context: ContextTrack;
  private readonly compactions: Compactions;
  private readonly said: Said;
  private readonly review = new Review();
  /** What the first review was about. */
  private reviewed: string | undefined;

  constructor(head: HeadFacts, options: OutlineOptions) {
    this.head = head;
    this.messages = new Messages(head, this.turns, options);
    this.calls = new Calls(this.messages.list);
    this.tokens = new Tokens(this.messages.list);
    this.context = new ContextTrack(this.messages);
    const { messages, turns, calls, tokens, review, context } = this;
    this.said = new Said({ head, messages, turns, calls, tokens, review });
    this.compactions = new Compactions({
      messages,
      turns,
      tokens,
      context,
      prompts: this.said.prompts,
      words: this.said.words,
      lastItem: () => this.said.lastItem,
      forget: (index) => this.said.forget(index),
      model: () => this.head.model,
      callAt: (id, isCall) => {
        const call = this.calls.byId.get(id);
        return (isCall ? call?.index : call?.output?.index) ?? undefined;
      },
    });
  }

  /** Takes a row; says what became of its line. */
  take(row: Row, value: Json, owner: Owner): Account {
    this.messages.owner = owner;
    if (owner === null) this.head.time(row);
    const became = this.become(row);
    if (!WORDLESS.has(row.native_type)) this.messages.hold(row, value);
    this.said.lastRow = row;
    return became ?? this.messages.record(row, isKnown(row));
  }

  /** Of a line, something was lost. */
  damage(ref: SourceRef): void {
    this.said.damage(ref);
  }

  /** What the thread goes on from is not here. */
  withoutBase(): void {
    this.tokens.goesOn();
  }

  /** The first row of a file that goes on from the middle of another one of this thread. */
  revert(row: Row, cuts: { file: number; end: number }[], rollout_id: string): void {
    this.messages.owner = null;
    this.turns.current = null;
    this.tokens.goesOn();
    this.context.reverted(row, cuts, rollout_id);
  }

  private get inherited(): boolean {
    return this.messages.owner !== null;
  }

  private become(row: Row): Account | undefined {
    switch (row.type) {
      case 'session_meta':
        if (!this.inherited && (row.payload.id ?? this.head.head.id) === this.head.head.id) this.head.meta(row);
        return undefined;
      case 'turn_context':
        this.turns.settings(row);
        this.head.settings(row.payload, this.inherited);
        return undefined;
      case 'response_item':
        return this.said.item(row);
      case 'event_msg':
        return this.event(row);
      case 'compacted':
        return this.compactions.take(row);
      case 'token_usage_record':
        this.tokens.record(row, this.head.model, this.inherited);
        return undefined;
      case 'inter_agent_communication_metadata':
        this.said.mailStartsTurn = row.payload.trigger_turn === true;
        return undefined;
      default:
        return undefined;
    }
  }

  private event(row: Row): Account | undefined {
    const { payload } = row;
    switch (payload.type) {
      case 'user_message':
        return this.said.shown(
          row,
          { told: 'user', id: undefined, texts: [stringAt(payload, 'message') ?? ''] },
          '/message',
        );
      case 'agent_message':
        return this.said.shown(
          row,
          { told: 'assistant', id: undefined, texts: [stringAt(payload, 'message') ?? ''] },
          '/message',
        );
      case 'agent_reasoning':
      case 'agent_reasoning_raw_content':
        return this.said.shown(
          row,
          { told: 'reasoning', id: undefined, texts: [stringAt(payload, 'text') ?? ''] },
          '/text',
        );
      case 'item_completed':
        return this.completed(row);
      case 'task_started':
      case 'turn_started':
        this.tokens.endTurn();
        if (this.review.begins()) this.turns.reviewing();
        else this.turns.start(row, this.inherited);
        return undefined;
      case 'task_complete':
      case 'turn_complete':
        this.turnDone(row);
        return undefined;
      case 'turn_aborted':
        this.review.leave();
        this.turns.abort(row);
        this.said.lost();
        this.tokens.endTurn();
        return undefined;
      case 'entered_review_mode':
        return this.reviewBegins(row, payload, '');
      case 'exited_review_mode':
        this.review.leave();
        return undefined;
      case 'error':
        if (this.turns.current !== null) this.turns.current.failed = row;
        return undefined;
      case 'token_count':
        this.counted(row);
        return undefined;
      case 'context_compacted':
        this.compactions.again(row.ref, null);
        return undefined;
      case 'thread_rolled_back':
        this.context.rolledBack(row);
        return undefined;
      case 'thread_name_updated':
        this.head.threadName(stringAt(payload, 'thread_name'));
        return undefined;
      default:
        return this.calls.end(row, this.turns.current) ? 'message' : undefined;
    }
  }

  private counted(row: Row): void {
    const count = countIn(row);
    if (count !== undefined) this.tokens.count(count, this.head.model, this.inherited);
    if (this.tokens.estimate !== null) this.compactions.estimate(this.tokens.estimate);
  }

  /** `item_completed` (0.147 on): messages as shown, and how calls ended. */
  private completed(row: Row): Account | undefined {
    const item = objectAt(row.payload, 'item');
    const id = stringAt(item, 'id');
    if (this.review.isReviewers(stringAt(row.payload, 'thread_id'))) return undefined;
    switch (item?.type) {
      case 'EnteredReviewMode':
        return this.reviewBegins(row, item, '/item');
      case 'ExitedReviewMode':
        this.review.leave();
        return undefined;
      case 'UserMessage':
        return this.said.shown(row, { told: 'user', id, texts: [textOf(item.content)] }, '/item/content/0');
      case 'AgentMessage':
        return this.said.shown(row, { told: 'assistant', id, texts: [textOf(item.content)] }, '/item/content/0');
      case 'Reasoning':
        return this.said.shown(row, { told: 'reasoning', id, texts: stringsAt(item, 'summary_text') }, '/item');
      case 'ContextCompaction':
        this.compactions.again(row.ref, id ?? null);
        return undefined;
      default:
        return this.calls.end(row, this.turns.current) ? 'message' : undefined;
    }
  }

  /** `/review`: the person set it going, and what was typed went to the reviewer. */
  private reviewBegins(row: Row, mark: JsonObject, pointer: string): Account {
    this.review.enter(stringAt(row.payload, 'thread_id'));
    this.turns.review(row, this.inherited);
    const asked = askedIn(mark);
    if (!this.inherited) this.reviewed ??= asked?.text;
    const at = `${row.pointer}${pointer}${asked?.at ?? ''}`;
    const type = asked === undefined ? 'unknown' : 'text';
    const turn_id = stringAt(row.payload, 'turn_id') ?? null;
    const block: OutlineBlock = { type, row: row.ref, pointer: at, tool_use_id: null, name: null };
    const index = this.messages.addText(row, { role: 'user', kind: 'command', turn_id }, block);
    const message = this.messages.list[index];
    if (message !== undefined)
      Object.assign(message, { sent: false, starts_turn: 'command', extra: { command: '/review' } });
    return 'message';
  }

  private turnDone(row: Row): void {
    this.review.leave();
    const turn = this.turns.complete(row);
    const message = this.messages.list[turn?.replies.at(-1) ?? -1];
    if (message !== undefined) message.ends_turn = row.payload.error == null;
    this.tokens.endTurn();
  }

  heldTexts(): object[] {
    return heldTexts(this.messages.list);
  }

  finish(): Outline {
    const { head } = this;
    this.context.begin();
    this.tokens.endTurn();
    this.calls.finish();
    this.settleTurns();
    this.said.settle();
    // A thread that was begun for a review is called by what was to be reviewed.
    head.prompt(this.reviewed ?? '');
    const stops = stopsIn({
      messages: this.messages.list,
      calls: this.calls,
      turns: this.turns,
      recordsEnds: head.head.dialect === 'paginated' && !this.turns.migrated,
      headless: head.headless,
      losesCalls: head.losesCalls,
      promptText: (index) => this.said.prompts.get(index)?.trim() || null,
    });
    this.messages.makeContent();
    return {
      head: head.finish(this.messages.list),
      not_recorded: head.hasInstructions ? ['tools'] : ['system-prompt', 'tools'],
      row_ids: this.messages.byId,
      messages: this.messages.list,
      outcomes: this.calls.outcomes(),
      signals: [...stops, ...this.context.rewinds, ...this.compactions.signals()],
      windows: this.context.windows,
      file_texts: [],
      records: this.messages.records,
      turn_times: this.turns.times(),
      turn_starts: this.turns.afterUnanswered,
      lost_requests: this.tokens.lost,
      diagnostics: this.diagnostics,
    };
  }
  /** Files without `task_complete`: words without a call are the end of a turn. */
  private settleTurns(): void {
    for (const turn of this.turns.all) {
      const last = this.messages.list[turn.replies.at(-1) ?? -1];
      const isOpen = turn.started === null && turn.aborted === null;
      if (isOpen && last?.blocks.every((block) => block.type === 'text')) last.ends_turn = true;
    }
  }
}
