// What is in sessions, counted: the tables of `stats`.

import type { TokenCounts } from '../schema/message.ts';
import type { SessionStream } from '../schema/stream.ts';
import { eventsOf } from './events.ts';

type Counts = Record<string, number>;

export interface Inventory {
  sessions: Counts;
  messages: Counts;
  turns: Counts;
  events: Counts;
  /** Rows of the files, by the agent's own names. */
  native_types: Counts;
  /** Rows of kinds that we do not know, with the client versions they were seen in. */
  unknown_types: Record<string, { rows: number; client_versions: string[] }>;
  stop_reasons: Counts;
  /** By role, then by type. */
  blocks: Record<string, Counts>;
  /** By name, then by how they ended. */
  tools: Record<string, Counts>;
  models: Record<string, TokenCounts & { replies: number }>;
  tool_calls: { all: number; unpaired: number };
  lines: Counts;
}

export function emptyInventory(): Inventory {
  return {
    sessions: {},
    messages: {},
    turns: {},
    events: {},
    native_types: {},
    unknown_types: {},
    stop_reasons: {},
    blocks: {},
    tools: {},
    models: {},
    tool_calls: { all: 0, unpaired: 0 },
    lines: {},
  };
}

/** Adds a session. What a fork has of its parent is not counted again. */
export function addToInventory(inventory: Inventory, session: SessionStream): void {
  const { session: head, turns, tool_calls } = session.document;
  count(inventory.sessions, head.kind === 'main' ? head.agent : `${head.agent} ${head.kind}`);
  for (const { status } of turns) count(inventory.turns, status);
  for (const { kind } of eventsOf(session.document)) count(inventory.events, kind);
  for (const [type, rows] of Object.entries(head.counts.native_types)) count(inventory.native_types, type, rows);
  for (const [type, rows] of Object.entries(head.counts.unknown_types))
    addUnknown(inventory, type, rows, head.client_versions);
  for (const [account, lines] of Object.entries(head.accounting)) count(inventory.lines, account, lines);
  for (const [model, tokens] of Object.entries(head.usage.by_model)) addTokens(inventory, model, tokens);
  const inherited = addMessages(inventory, session);
  for (const call of tool_calls) {
    if (call.message_index !== null && inherited.has(call.message_index)) continue;
    inventory.tool_calls.all++;
    if (call.result_message_index === null) inventory.tool_calls.unpaired++;
    inventory.tools[call.name] ??= {};
    count(inventory.tools[call.name] ?? {}, call.status);
  }
}

function addMessages(inventory: Inventory, session: SessionStream): Set<number> {
  const inherited = new Set<number>();
  for (const message of session.messages()) {
    if (message.inherited !== null) inherited.add(message.index);
    if (message.inherited !== null) continue;
    count(inventory.messages, message.kind);
    if (message.stop_reason !== null) count(inventory.stop_reasons, message.stop_reason);
    if (message.model !== null && message.usage !== null) modelOf(inventory, message.model).replies++;
    for (const { type } of message.content) {
      inventory.blocks[message.role] ??= {};
      count(inventory.blocks[message.role] ?? {}, type);
    }
  }
  return inherited;
}

function addUnknown({ unknown_types }: Inventory, type: string, rows: number, versions: string[]): void {
  const known = unknown_types[type] ?? { rows: 0, client_versions: [] };
  unknown_types[type] = {
    rows: known.rows + rows,
    client_versions: [...new Set([...known.client_versions, ...versions])].sort(),
  };
}

function modelOf({ models }: Inventory, model: string): TokenCounts & { replies: number } {
  const none = {
    input_tokens: 0,
    cache_read_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    web_searches: 0,
  };
  models[model] ??= { replies: 0, ...none };
  return models[model];
}

function addTokens(inventory: Inventory, model: string, tokens: TokenCounts): void {
  const total = modelOf(inventory, model);
  for (const key of Object.keys(tokens) as (keyof TokenCounts)[]) total[key] += tokens[key];
}

function count(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}
