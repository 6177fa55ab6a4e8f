import { readFileSync } from 'node:fs';
import { folderName } from './compaction.ts';
import { tick } from './conversation.ts';
import type { ForkPlan } from './plan.ts';
import { type Home, openConversation, type WrittenSession, writeOpening } from './session.ts';
import { writeTurn } from './turns.ts';

const CHAINED = new Set(['user', 'assistant', 'system', 'attachment']);

/**
 * A forked session: the rows of another one with the same uuids and message ids under a new sessionId, and then a life of its own.
 * Nothing says that it is a fork; who adds up both files counts the copied part twice.
 */
export function writeFork(home: Home, { session }: ForkPlan, source: WrittenSession): void {
  const path = `${home.root}/projects/${folderName(session.cwd)}/${session.sessionId}.jsonl`;
  const conversation = openConversation(home, session, path, null);
  const { file, truth, random, sessionId, promptId } = conversation;
  truth.sessions.main++;
  truth.sessions.forks++;
  writeOpening(conversation);
  for (const line of readFileSync(source.path, 'utf8').split('\n')) {
    if (line === '') continue;
    const row = JSON.parse(line);
    if (!CHAINED.has(row.type)) continue;
    file.row({ ...row, ...(row.promptId && { promptId }), sessionId });
    conversation.leaf = row.uuid;
    conversation.chained++;
  }
  conversation.clock = source.endedAt + random.integer(60, 90_000) * 1000;
  // It goes on where the other one was: the context is known, nothing is announced again.
  Object.assign(conversation, {
    turnIndex: 1,
    promptIndex: 1,
    snapshotDue: false,
    cachedTokens: 40_000,
    enough: file.size() + session.bytes,
  });
  do writeTurn(conversation);
  while (file.size() < conversation.enough);
  tick(conversation, 1000, 20_000);
  file.close(conversation.clock);
}
