// What `stats` counts, held against documents.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addToInventory, emptyInventory, inOrder, openHome, readSessions, type SessionStream } from '../src/index.ts';
import { fixtureFolders, root } from './support.ts';

const home = join(root, 'samples');

test('the counts are those of the documents', () => {
  const inventory = emptyInventory();
  for (const session of inOrder(openHome({ homes: [home] }).families)) addToInventory(inventory, session);
  const documents = [...readSessions({ homes: [home] })];
  const messages = documents.flatMap((document) => document.messages);
  const calls = documents.flatMap((document) => document.tool_calls);
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, number) => total + number, 0);
  expect({
    sessions: sum(inventory.sessions),
    messages: sum(inventory.messages),
    blocks: Object.values(inventory.blocks).reduce((total, counts) => total + sum(counts), 0),
    turns: sum(inventory.turns),
    calls: inventory.tool_calls,
    refused: Object.values(inventory.tools).reduce((total, ends) => total + (ends.rejected ?? 0), 0),
    output: Object.values(inventory.models).reduce((total, model) => total + model.output_tokens, 0),
    replies: Object.values(inventory.models).reduce((total, model) => total + model.replies, 0),
    lines: inventory.lines.lines,
  }).toEqual({
    sessions: documents.length,
    messages: messages.length,
    blocks: messages.reduce((total, message) => total + message.content.length, 0),
    turns: documents.reduce((total, document) => total + document.turns.length, 0),
    calls: { all: calls.length, unpaired: calls.filter((call) => call.result_message_index === null).length },
    refused: calls.filter((call) => call.status === 'rejected').length,
    output: documents.reduce((total, document) => total + document.session.usage.output_tokens, 0),
    replies: messages.filter((message) => message.usage !== null && message.model !== null).length,
    lines: documents.reduce((total, document) => total + document.session.accounting.lines, 0),
  });
});

test('what a fork has of its parent is not counted again', () => {
  const inventory = emptyInventory();
  const forked = { homes: [join(root, 'fixtures/codex/resume-fork/native')] };
  for (const session of inOrder(openHome(forked).families)) addToInventory(inventory, session);
  const own = [...readSessions(forked)].flatMap(({ messages }) =>
    messages.filter(({ inherited }) => inherited === null),
  );
  expect(inventory.messages.prompt).toBe(own.filter(({ kind }) => kind === 'prompt').length);
});

test('a tool may have any name', () => {
  const [session] = [...inOrder(openHome({ homes: [home] }).families)];
  const call = { ...session?.document.tool_calls[0], name: 'constructor', status: 'ok', message_index: null };
  const odd = { ...session, document: { ...session?.document, tool_calls: [call] }, messages: () => [] };
  const inventory = emptyInventory();
  addToInventory(inventory, odd as unknown as SessionStream);
  expect({ ...inventory.tools.constructor }).toEqual({ ok: 1 });
});

test.each(['claude-code', 'codex', 'gemini'])('every fixture of %s can be counted', (agent) => {
  const inventory = emptyInventory();
  const homes = fixtureFolders(agent).map((folder) => join(folder, 'native'));
  for (const session of inOrder(openHome({ homes }).families)) addToInventory(inventory, session);
  const numbers = [
    inventory.messages,
    inventory.turns,
    inventory.stop_reasons,
    inventory.native_types,
    inventory.lines,
  ];
  expect(numbers.flatMap((counts) => Object.values(counts)).filter((number) => !Number.isInteger(number))).toEqual([]);
});
