// What docs/schema.md says of a file that grows: before its last two turns, events and messages are what they will be.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf, openFile } from '../src/index.ts';
import { fixtureFolders, temporaryFolder } from './support.ts';

const LONGEST = 80;
/** Of every file so many lines more: one by one it takes a while. */
const STEP = 5;

interface Told {
  turns: { first_message_index: number | null }[];
  events: { id: string; after: number }[];
  messages: string[];
}

function toldBy(path: string): Told {
  const open = openFile(path)?.open();
  const [session] = open?.sessions ?? [];
  const told = {
    turns: session?.document.turns ?? [],
    events: (session === undefined ? [] : eventsOf(session.document)).map(({ event, after_message_index }) => ({
      id: event.id,
      after: after_message_index ?? -1,
    })),
    messages: (session?.messagePlaces() ?? []).map(({ id, kind }) => `${kind} ${id}`),
  };
  open?.close();
  return told;
}

/** What was told before the last two turns, and is told otherwise in the end. */
function takenBack(now: Told, end: Told): string[] {
  const settled = now.turns.at(-2)?.first_message_index ?? 0;
  const events = now.events.filter(({ after }) => after < settled && now.turns.length > 1).map(({ id }) => id);
  const ids = new Set(end.events.map(({ id }) => id));
  return [
    ...events.filter((id) => !ids.has(id)),
    ...now.messages.slice(0, settled).filter((message, i) => end.messages[i] !== message),
  ];
}

function growthOf(folder: string, file: string, scratch: string): string[] {
  const path = join(scratch, basename(file));
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  if (lines.length > LONGEST) return [];
  writeFileSync(path, lines.join('\n'));
  const end = toldBy(path);
  return Array.from({ length: Math.floor(lines.length / STEP) }, (_, i) => (i + 1) * STEP).flatMap((count) => {
    writeFileSync(path, `${lines.slice(0, count).join('\n')}\n`);
    return takenBack(toldBy(path), end).map((what) => `${folder}/${file}, ${count} lines: ${what}`);
  });
}

/** After a refusal Gemini writes its context down again, row by row: until the line that says so is there, these look like new turns. */
const WRITTEN_AGAIN =
  /fixtures\/gemini\/(contexts-recorded-again|contexts-replaced-at-once|kept-tail-with-words-of-before)\//;

test.each(['claude-code', 'codex', 'gemini'])('%s: what was told before the last two turns stays', (agent) => {
  const scratch = temporaryFolder();
  const otherwise = fixtureFolders(agent).flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((path) => path.endsWith('.jsonl') && !path.endsWith('history.jsonl') && !path.includes('subagents'))
      .flatMap((path) => growthOf(folder, path, scratch)),
  );
  expect(otherwise.filter((what) => !WRITTEN_AGAIN.test(what))).toEqual([]);
});
