// A session resumed by the real client: what reaches the server must be what was planned, block by block.

import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { messagesOf } from './mock-anthropic.ts';
import { FILLER, firstDifference, isReminder, merged, type SaidMessage, sentMessages } from './said-blocks.ts';
import { runClient, type Sandbox } from './sandbox.ts';

export interface Planned {
  session_id: string;
  file: string;
  messages: SaidMessage[];
}

export async function expectResumed(
  { sandbox, env }: { sandbox: Sandbox; env: Record<string, string> },
  clone: Planned,
): Promise<void> {
  const written = readFileSync(clone.file);
  const prompt = `Conformance prompt ${randomUUID()}.`;
  const { code, stderr } = await runClient(sandbox, ['--resume', clone.session_id, '-p', prompt], { env });
  // A resume appends to the file: the next one begins with the clone as it was written.
  writeFileSync(clone.file, written);
  const by = `resumed by ${sandbox.client.version}`;
  if (code !== 0 || stderr !== '') throw new Error(`${by}: it ended with ${code}: ${stderr}`);
  const request = sandbox.api.requests.find((body) => JSON.stringify(messagesOf(body)).includes(prompt));
  if (request === undefined) throw new Error(`${by}: no request was sent`);
  const found = firstDifference(
    withoutFresh(clone.messages),
    withoutPrompt(withoutFresh(sentMessages(messagesOf(request))), prompt),
  );
  if (found !== undefined) throw new Error(`${by}: ${found}`);
}

/** Left out: messages of the system, and texts that are reminders as a whole. The client writes them anew. */
function withoutFresh(messages: readonly SaidMessage[]): SaidMessage[] {
  const asText = (block: string) => block.replace(/^attachment \S+ /, 'text ');
  return merged(
    messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, blocks }) => ({ role, blocks: blocks.map(asText).filter((block) => !isReminder(block)) })),
  );
}

/** Left out: the new prompt, which must be the last block of all, and before it what the client answers for itself. */
function withoutPrompt(messages: SaidMessage[], prompt: string): SaidMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user' || last.blocks.at(-1) !== `text ${prompt}`)
    throw new Error('the prompt is not what was sent last');
  const rest = merged([...messages.slice(0, -1), { role: 'user', blocks: last.blocks.slice(0, -1) }]);
  return rest.at(-1)?.blocks.join() === FILLER ? rest.slice(0, -1) : rest;
}
