import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createLineFile } from '../line-file.ts';
import { writeOpeningAttachments } from './attachments.ts';
import { callId, type Outcome, type ToolCall } from './calls.ts';
import { type Conversation, type Row, takeNeedle, tick, timestampOf, writeLoose, writeUser } from './conversation.ts';
import { endTurn, writePrompt } from './prompts.ts';
import { writeReply } from './reply.ts';
import { lastWord, writeProgressRow, writeResult, writeRound } from './turns.ts';
import { isLate, isNewest } from './versions.ts';

export interface Delegation {
  /** Where transcripts of this project lie. */
  folder: string;
  bytes: number;
}

/** A turn in which the model hands a task to a subagent, whose transcript is written too. */
export function writeDelegation(conversation: Conversation, delegation: Delegation): void {
  const { random, text, version, interactive } = conversation;
  const agentId = newAgentId(conversation);
  const description = text.phrase(random, 3);
  const task = text.prose(random, random.longTail(900, 0.7, 6000)).trim();
  const call: ToolCall = {
    id: callId(conversation),
    name: version.agentTool,
    input: { description, prompt: task, subagent_type: 'general-purpose' },
    outcome: { content: '', toolUseResult: null },
  };
  writePrompt(conversation);
  const { callRows } = writeReply(conversation, { text: text.phrase(random, 5), calls: [call] });
  const callRow = callRows[0] ?? null;
  const { report, copies, tokens } = writeSubagent(conversation, {
    ...delegation,
    agentId,
    task,
    description,
    toolUseId: call.id,
  });
  for (const message of version.name === '2.1.20' ? copies : []) {
    writeProgressRow(
      conversation,
      { message, normalizedMessages: [], type: 'agent_progress', prompt: task, agentId },
      `agent_msg_01${random.base62(22)}`,
      call.id,
    );
  }
  const background = isNewest(version) && interactive;
  writeResult(conversation, {
    call,
    callRow,
    outcome: background
      ? launched(conversation, agentId, task, description)
      : finished(conversation, agentId, task, report, tokens),
  });
  writeReply(conversation, lastWord(conversation));
  endTurn(conversation);
  if (background) writeNotification(conversation, { agentId, description, report, toolUseId: call.id });
}

function newAgentId({ random, version }: Conversation): string {
  if (version.subagents === 'inline') return 'inline';
  if (version.subagents === 'beside') return random.hex(8);
  return `a${random.hex(version.name === '2.1.20' ? 6 : 16)}`;
}

interface Subagent extends Delegation {
  agentId: string;
  task: string;
  description: string;
  toolUseId: string;
}

function writeSubagent(parent: Conversation, subagent: Subagent): { report: string; copies: Row[]; tokens: number } {
  const { random, text, version, truth } = parent;
  const inline = version.subagents === 'inline';
  const path = subagentPath(parent, subagent);
  const file = inline ? parent.file : createLineFile(path, truth);
  const child: Conversation = {
    ...parent,
    file,
    agentId: subagent.agentId,
    model: random.chance(0.4) ? (version.models.at(-1) ?? parent.model) : parent.model,
    leaf: null,
    chained: 0,
    recent: [],
    needles: [],
    toolsUsed: [],
    cachedTokens: random.integer(6000, 12_000),
    snapshotDue: isNewest(version),
    enough: file.size() + subagent.bytes,
  };
  const copies: Row[] = [];
  // The first few rows only: the point is that they are there, with the same message ids.
  child.observe = (row) => {
    const { type, message, uuid, timestamp, requestId } = row;
    if (copies.length < 4)
      copies.push({ type, message, ...(requestId !== undefined && { requestId }), uuid, timestamp });
  };
  // In 2.0.42 the task itself is not in the subagent's file.
  if (version.name !== '2.0.42') writeUser(child, { content: subagent.task, processId: false });
  writeOpeningAttachments(child);
  do writeRound(child);
  while (file.size() < child.enough);
  const report = text.prose(random, random.longTail(900, 0.8, 9000)) + takeNeedle(child, 'reply');
  writeReply(child, { text: report });
  parent.clock = child.clock;
  if (inline) {
    truth.sessions.inline_sidechains++;
  } else {
    file.close(child.clock);
    truth.sessions.subagents++;
    if (isLate(version)) writeMeta(child, subagent, path.replace(/jsonl$/, 'meta.json'));
  }
  return { report, copies, tokens: child.cachedTokens };
}

function subagentPath({ version, sessionId }: Conversation, { folder, agentId }: Subagent): string {
  return version.subagents === 'beside'
    ? `${folder}/agent-${agentId}.jsonl`
    : `${folder}/${sessionId}/subagents/agent-${agentId}.jsonl`;
}

function writeMeta(child: Conversation, { description, toolUseId }: Subagent, path: string): void {
  const { version, interactive, model, truth } = child;
  const meta: Row = { agentType: 'general-purpose', description };
  const newest = {
    agentType: 'general-purpose',
    isBuiltIn: true,
    description,
    toolUseId,
    spawnDepth: 1,
    requestShape: interactive ? 'background' : 'foreground',
    requestNonInteractive: true,
    pickedEffortModel: model,
    finished: true,
  };
  const text = JSON.stringify(isNewest(version) ? newest : meta);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  truth.companions.files++;
  truth.companions.bytes += Buffer.byteLength(text);
}

function launched(
  { model, cwd, sessionId }: Conversation,
  agentId: string,
  prompt: string,
  description: string,
): Outcome {
  const outputFile = `/tmp/claude-1000/${cwd.replace(/[^a-zA-Z0-9]/g, '-')}/${sessionId}/tasks/${agentId}.output`;
  return {
    content: [
      {
        type: 'text',
        text: `Async agent launched successfully. (This tool result is internal metadata.)\nagentId: ${agentId}\nThe agent is working in the background. You will be notified automatically when it completes.`,
      },
    ],
    toolUseResult: {
      isAsync: true,
      status: 'async_launched',
      agentId,
      description,
      resolvedModel: model,
      prompt,
      outputFile,
      canReadOutputFile: true,
      canContinueAgent: true,
    },
  };
}

function finished(
  { random, version, model }: Conversation,
  agentId: string,
  prompt: string,
  report: string,
  tokens: number,
): Outcome {
  const content = [{ type: 'text', text: report }];
  const totals = {
    totalDurationMs: random.integer(4000, 400_000),
    totalTokens: tokens,
    totalToolUseCount: random.integer(1, 30),
  };
  // A copy of the last request's counts: a reader that takes every `usage` it meets counts it twice.
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens,
    output_tokens: report.length >> 2,
    service_tier: 'standard',
  };
  if (version.name === '1.0.100') return { content, toolUseResult: { content, ...totals, usage } };
  if (isNewest(version)) {
    return {
      content,
      toolUseResult: {
        status: 'completed',
        prompt,
        agentId,
        agentType: 'general-purpose',
        toolsUsed: ['Bash', 'Read'],
        content,
        resolvedModel: model,
        ...totals,
        canContinueAgent: true,
      },
    };
  }
  return { content, toolUseResult: { status: 'completed', prompt, agentId, content, ...totals, usage } };
}

interface Notice {
  agentId: string;
  description: string;
  report: string;
  toolUseId: string;
}

/** A turn that no person began: the client tells the model that its agent is done. */
function writeNotification(conversation: Conversation, { agentId, description, report, toolUseId }: Notice): void {
  const { random, sessionId, permissionMode, promptIndex } = conversation;
  const content = `<task-notification>\n<task-id>${agentId}</task-id>\n<tool-use-id>${toolUseId}</tool-use-id>\n<status>completed</status>\n<summary>Agent "${description}" finished</summary>\n<result>${report}</result>\n</task-notification>`;
  writeLoose(conversation, {
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: tick(conversation, 300, 3000),
    sessionId,
    content,
  });
  writeLoose(conversation, {
    type: 'queue-operation',
    operation: 'dequeue',
    timestamp: tick(conversation, 3, 20),
    sessionId,
  });
  conversation.promptId = random.uuid();
  conversation.turnIndex++;
  writeUser(conversation, {
    content,
    timestamp: timestampOf(conversation.clock),
    extra: {
      permissionMode,
      origin: { kind: 'task-notification', producer: 'session-task', runId: `0${random.hex(8)}-${random.hex(8)}` },
      promptSource: 'system',
      turnOrigin: 'task_notification',
      turnPosition: { promptIndex, turnIndex: conversation.turnIndex },
      queueSkipAttachments: true,
    },
    processId: false,
  });
  writeReply(conversation, lastWord(conversation));
  endTurn(conversation);
}

/** 2.0.42 warmed its agents up when it started; each left a file with one row. */
export function writeWarmup(parent: Conversation, folder: string): void {
  const { random, truth } = parent;
  const agentId = random.hex(8);
  const file = createLineFile(`${folder}/agent-${agentId}.jsonl`, truth);
  const child: Conversation = {
    ...parent,
    file,
    agentId,
    leaf: null,
    recent: [],
    needles: [],
    cachedTokens: random.integer(3000, 9000),
  };
  writeReply(child, { text: "I'm ready to help. What would you like me to look for?" });
  file.close(child.clock);
  truth.sessions.subagents++;
  truth.sessions.warmups++;
}
