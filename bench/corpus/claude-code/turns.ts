import { promptSnapshot, writeAttachment } from './attachments.ts';
import type { Outcome, ToolCall } from './calls.ts';
import { type Conversation, type Row, tick, timestampOf, writeChained, writeLoose, writeUser } from './conversation.ts';
import { endTurn, writeBackup, writePrompt } from './prompts.ts';
import { type Reply, writeReply } from './reply.ts';
import { randomCall } from './tools.ts';
import { isNewest } from './versions.ts';

/** A turn in which nothing remarkable happens: a prompt, some rounds of tools, a last word. */
export function writeTurn(conversation: Conversation, prompt: Parameters<typeof writePrompt>[1] = {}): void {
  writePrompt(conversation, prompt);
  writeAnswer(conversation);
}

/** The answer to a prompt that is already there. */
export function writeAnswer(conversation: Conversation): void {
  // In public sessions half the turns have five requests or fewer, one in ten more than twenty.
  const { file, random } = conversation;
  for (let rounds = random.longTail(4, 1, 40) - 1; rounds > 0 && file.size() < conversation.enough; rounds--)
    writeRound(conversation);
  writeReply(conversation, lastWord(conversation));
  writeDueSnapshot(conversation);
  endTurn(conversation);
}

/** One request with tool calls, and their results. */
export function writeRound(conversation: Conversation): void {
  const { random } = conversation;
  const parallel = random.chance(0.13) ? random.integer(2, 3) : 1;
  const calls = Array.from({ length: parallel }, () => randomCall(conversation));
  const { callRows } = writeReply(conversation, { ...someWords(conversation), calls });
  noteTools(conversation, calls);
  const pairs = calls.map((call, index) => ({ call, callRow: callRows[index] ?? null }));
  for (const { call, callRow } of pairs) {
    if (call.changes && callRow) writeBackup(conversation, call.changes, callRow);
    writeProgress(conversation, call);
  }
  // Results come in the order in which the tools were done.
  if (random.chance(0.5)) pairs.reverse();
  for (const { call, callRow } of pairs) writeResult(conversation, { call, callRow });
  writeDueSnapshot(conversation);
  writeMidTurn(conversation);
}

/** What the model says before its calls: one in five calls comes without a word. */
export function someWords({ random, text }: Conversation): Reply {
  const reply: Reply = {};
  if (random.chance(0.4)) reply.thinking = text.prose(random, random.longTail(320, 1, 14_000));
  if (random.chance(0.55)) reply.text = text.prose(random, random.longTail(80, 0.8, 4000));
  return reply;
}

export function lastWord({ random, text }: Conversation): Reply {
  const reply: Reply = { text: text.prose(random, random.longTail(500, 1, 12_000)) };
  if (random.chance(0.4)) reply.thinking = text.prose(random, random.longTail(320, 1, 14_000));
  return reply;
}

interface Result {
  call: ToolCall;
  /** The row of the call; where results form a tree, it is the parent. */
  callRow: string | null;
  outcome?: Outcome;
  /** 2.1.325: why it did not run, between toolUseResult and sourceToolAssistantUUID. */
  denial?: Row;
  permissionDecision?: Row | null;
}

export function writeResult(
  conversation: Conversation,
  { call, callRow, outcome = call.outcome, denial, permissionDecision }: Result,
): void {
  const { version } = conversation;
  const block = outcome.isError
    ? { type: 'tool_result', content: outcome.content, is_error: true, tool_use_id: call.id }
    : {
        tool_use_id: call.id,
        type: 'tool_result',
        content: outcome.content,
        ...(outcome.isError === false && { is_error: false }),
      };
  const decision =
    permissionDecision === undefined
      ? { decision: 'accept', source: 'config', reasonType: 'mode' }
      : permissionDecision;
  // In 2.1.325 the client's own copy is missing where a subagent ran in the foreground, as it does in `-p`.
  const keepsCopy = !(isNewest(version) && conversation.agentId && !conversation.interactive);
  writeUser(conversation, {
    content: [block],
    extra: {
      ...(keepsCopy && { toolUseResult: outcome.toolUseResult }),
      ...(isNewest(version) && denial),
      ...(isNewest(version) && call.name === 'Bash' && !denial && { sandboxed: false }),
      ...(version.parallelResults === 'tree' && callRow && { sourceToolAssistantUUID: callRow }),
      ...(isNewest(version) && decision && { permissionDecision: decision }),
    },
    ...(version.parallelResults === 'tree' && callRow && { parent: callRow }),
  });
}

/** Clients of about 2.1.20 wrote a row whenever a running command had said something. They form a branch that leads nowhere. */
function writeProgress(conversation: Conversation, call: ToolCall): void {
  const { random, text, version } = conversation;
  if (version.name !== '2.1.20' || conversation.agentId) return;
  if (random.chance(0.5)) {
    const data = {
      type: 'hook_progress',
      hookEvent: 'PreToolUse',
      hookName: `PreToolUse:${call.name}`,
      command: `${text.word(random)} hooks pre-tool`,
    };
    writeProgressRow(conversation, data, call.id, call.id);
  }
  if (call.name !== 'Bash' || !random.chance(0.4)) return;
  for (let seconds = 2; seconds < 2 + random.integer(1, 6); seconds++) {
    const fullOutput = text.code(random, random.longTail(300, 1.2, 12_000));
    const data = {
      type: 'bash_progress',
      output: fullOutput.slice(-400),
      fullOutput,
      elapsedTimeSeconds: seconds,
      totalLines: fullOutput.split('\n').length,
      timeoutMs: 120_000,
    };
    writeProgressRow(conversation, data, `bash-progress-${seconds - 2}`, call.id);
  }
}

export function writeProgressRow(
  conversation: Conversation,
  data: Row,
  toolUseID: string,
  parentToolUseID: string,
): void {
  writeChained(conversation, {
    body: {
      type: 'progress',
      data,
      toolUseID,
      parentToolUseID,
      uuid: conversation.random.uuid(),
      timestamp: tick(conversation, 20, 1100),
    },
  });
}

/** Small things that newer clients slip in between two requests. */
function writeMidTurn(conversation: Conversation): void {
  const { random, text, version, sessionId, interactive } = conversation;
  if (version.name === '2.1.110' && random.chance(0.04)) {
    writeAttachment(conversation, { attachment: { type: 'task_reminder', content: [], itemCount: 0 } });
  }
  if (!isNewest(version) || !interactive || conversation.agentId || !random.chance(0.015)) return;
  // A message typed while the model works is taken into the turn: there is no user row for it.
  const prompt = text.phrase(random, random.integer(4, 20));
  const ids = { commandUuid: random.uuid(), deliveryId: random.uuid() };
  const typedAt = timestampOf(conversation.clock);
  writeLoose(conversation, {
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: typedAt,
    sessionId,
    content: prompt,
  });
  writeLoose(conversation, {
    type: 'queue-operation',
    operation: 'remove',
    timestamp: tick(conversation),
    sessionId,
    content: prompt,
    reason: 'absorbed_mid_turn',
    ...ids,
  });
  writeAttachment(conversation, {
    attachment: {
      type: 'queued_command',
      prompt,
      source_uuid: ids.commandUuid,
      delivery_id: ids.deliveryId,
      commandMode: 'prompt',
      origin: { kind: 'human' },
      timestamp: typedAt,
      humanTurn: true,
    },
    rendered: `The user sent a new message while you were working:\n${prompt}`,
  });
}

/** 2.1.325 stores system prompt and tools once the first reply of a context is there. */
function writeDueSnapshot(conversation: Conversation): void {
  if (!conversation.snapshotDue || !isNewest(conversation.version)) return;
  conversation.snapshotDue = false;
  writeAttachment(conversation, { attachment: promptSnapshot(conversation, { withTools: true }) });
}

function noteTools(conversation: Conversation, calls: ToolCall[]): void {
  const { toolsUsed, sessionId, version } = conversation;
  const fresh = calls.map(({ name }) => name).filter((name) => !toolsUsed.includes(name));
  toolsUsed.push(...new Set(fresh));
  if (fresh.length > 0 && isNewest(version) && !conversation.agentId)
    writeLoose(conversation, { type: 'tools-used', tools: [...toolsUsed], sessionId });
}
