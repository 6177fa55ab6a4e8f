// What is in sessions, counted: the tables of `stats`.

import type { TokenCounts } from '../schema/message.ts';
import type { SessionStream } from '../schema/stream.ts';
import { addTokens, noTokens } from '../schema/tokens.ts';
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
    sessions: bare(),
    messages: bare(),
    turns: bare(),
    events: bare(),
    native_types: bare(),
    unknown_types: bare(),
    stop_reasons: bare(),
    blocks: bare(),
    tools: bare(),
    models: bare(),
    tool_calls: { all: 0, unpaired: 0 },
    lines: bare(),
  };
}

/** Names come from files: a tool may be called `constructor`. */
function bare<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

/** Adds a session. What a fork has of its parent is not counted again. */
export function addToInventory(inventory: Inventory, session: SessionStream): void {
  const { session: head, turns, tool_calls } = session.document;
  count(inventory.sessions, head.kind === 'main' ? head.agent : `${head.agent} ${head.kind}`);
  for (const { kind } of eventsOf(session.document)) count(inventory.events, kind);
  for (const [type, rows] of Object.entries(head.counts.native_types)) count(inventory.native_types, type, rows);
  for (const [type, rows] of Object.entries(head.counts.unknown_types))
    addUnknown(inventory, type, rows, head.client_versions);
  for (const [account, lines] of Object.entries(head.accounting)) count(inventory.lines, account, lines);
  for (const [model, tokens] of Object.entries(head.usage.by_model)) addTokens(modelOf(inventory, model), tokens);
  const inherited = addMessages(inventory, session);
  for (const { status, first_message_index } of turns)
    if (first_message_index === null || !inherited.has(first_message_index)) count(inventory.turns, status);
  for (const call of tool_calls) {
    if (call.message_index !== null && inherited.has(call.message_index)) continue;
    inventory.tool_calls.all++;
    if (call.result_message_index === null) inventory.tool_calls.unpaired++;
    inventory.tools[call.name] ??= bare();
    count(inventory.tools[call.name] ?? bare(), call.status);
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
      inventory.blocks[message.role] ??= bare();
      count(inventory.blocks[message.role] ?? bare(), type);
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
  models[model] ??= { replies: 0, ...noTokens() };
  return models[model];
}

function count(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}
