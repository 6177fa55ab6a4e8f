import { countEvent } from '../truth.ts';
import { writeAttachment, writeStanding } from './attachments.ts';
import { type Conversation, type Row, tick, timestampOf, writeChained, writeUser } from './conversation.ts';
import { addHistory, writePrompt, writeSnapshot } from './prompts.ts';
import { writeAnswer } from './turns.ts';
import { isLate, isNewest } from './versions.ts';

/** The person typed /compact. */
export function compactByHand(conversation: Conversation): void {
  const { random, version } = conversation;
  tick(conversation, 4000, 120_000);
  // 2.0.42 wrote each command several times over.
  const copies = version.name === '2.0.42' ? random.integer(3, 4) : 1;
  for (let copy = 0; copy < copies; copy++)
    addHistory(conversation, version.name === '2.0.42' ? '/compact ' : '/compact', { stampNow: true });
  const command = random.uuid();
  writeSnapshot(conversation, command);
  conversation.promptId = random.uuid();
  writeBoundaryAndSummary(conversation, 'manual', conversation.recent.slice(-3));
  writeCommandRows(conversation, { name: 'compact', row: command, output: compactedMessage(conversation) });
  if (isNewest(version)) writeStanding(conversation);
}

/** The context ran full: the client compacts after the prompt was stored, and then answers it. */
export function compactByItself(conversation: Conversation): void {
  const prompt = writePrompt(conversation);
  writeBoundaryAndSummary(conversation, 'auto', [
    ...conversation.recent.filter((row) => row !== prompt).slice(-2),
    prompt,
  ]);
  if (isNewest(conversation.version)) writeStanding(conversation);
  writeAnswer(conversation);
}

function writeBoundaryAndSummary(conversation: Conversation, trigger: 'manual' | 'auto', kept: string[]): void {
  const { random, version } = conversation;
  const summary = random.uuid();
  const preTokens = trigger === 'auto' ? random.integer(150_000, 190_000) : Math.max(9000, conversation.cachedTokens);
  const postTokens = random.integer(3000, 16_000);
  conversation.droppedTokens += preTokens - postTokens;
  const metadata: Row = { trigger, preTokens };
  if (isLate(version)) Object.assign(metadata, { postTokens });
  if (isNewest(version)) Object.assign(metadata, { cumulativeDroppedTokens: conversation.droppedTokens });
  if (isLate(version)) Object.assign(metadata, { durationMs: random.integer(9000, 90_000) });
  if (isNewest(version)) Object.assign(metadata, preserved(kept, summary));
  const timestamp = tick(conversation, 9000, 90_000);
  // 1.0.100 had no boundary: the summary alone starts a new chain.
  if (version.name !== '1.0.100') writeBoundary(conversation, metadata, timestamp);
  // In the recorded automatic case the summary hung on an attachment and not on the boundary itself.
  if (isNewest(version) && trigger === 'auto')
    writeAttachment(conversation, {
      attachment: { type: 'total_tokens_reminder', used: preTokens },
      rendered: `Tokens used: ${preTokens}`,
    });
  writeUser(conversation, {
    uuid: summary,
    timestamp: timestampOf(conversation.clock - 5),
    content: summaryText(conversation),
    flags: { isVisibleInTranscriptOnly: true, isCompactSummary: true },
    extra: isNewest(version)
      ? {
          ...(trigger === 'auto' && { summarizedTurnPromptUuids: [conversation.promptRow] }),
          turnPosition: { promptIndex: conversation.promptIndex, turnIndex: conversation.turnIndex },
        }
      : {},
    ...(version.name === '1.0.100' && { parent: null }),
  });
  conversation.cachedTokens = random.integer(14_000, 30_000);
  conversation.recent = [];
  conversation.snapshotDue = true;
  countEvent(conversation.truth, 'compactions', trigger);
}

function writeBoundary(conversation: Conversation, compactMetadata: Row, timestamp: string): void {
  const uuid = conversation.random.uuid();
  const start = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' };
  const body = isNewest(conversation.version)
    ? { ...start, level: 'info', compactMetadata, uuid, timestamp }
    : { ...start, isMeta: false, timestamp, uuid, level: 'info', compactMetadata };
  writeChained(conversation, { body, parent: null, logicalParent: conversation.leaf });
}

/** Rows from before the boundary that 2.1.325 still sends after the summary. */
function preserved(uuids: string[], anchorUuid: string): Row {
  return {
    preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: uuids.at(-1) },
    preservedMessages: { anchorUuid, uuids, allUuids: uuids },
  };
}

function summaryText({ random, text, version, cwd, sessionId }: Conversation): string {
  const body = text.prose(random, random.longTail(6000, 0.5, 20_000));
  const transcript = `/home/dev/.claude/projects/${folderName(cwd)}/${sessionId}.jsonl`;
  if (version.name === '1.0.100' || version.name === '2.0.42') {
    return `This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nAnalysis:\n${body}\nPlease continue the conversation from where we left it off without asking the user any further questions. Continue with the last task that you were asked to work on.`;
  }
  const start =
    'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n';
  const end = `\n\nIf you need specific details from before compaction (like exact code snippets, error messages, or content you generated), read the full transcript at: ${transcript}\n`;
  if (!isNewest(version))
    return `${start}Analysis:\n${body}${end}Please continue the conversation from where we left it off without asking the user any further questions. Continue with the last task that you were asked to work on.`;
  return `${start}Summary:\n${body}${end}Continue the conversation from where it left off without asking the user any further questions.\n\nThe messages after this summary are the most recent messages from before compaction, kept verbatim.`;
}

/** The folder of a project: every character that is no ASCII letter or digit becomes a dash, so two projects may share one. */
export function folderName(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, '-');
}

function compactedMessage({ version }: Conversation): string {
  return `\u001b[2mCompacted (ctrl+${version.name === '1.0.100' ? 'r' : 'o'} to see full summary)\u001b[22m`;
}

interface Command {
  name: 'compact' | 'clear';
  /** The uuid of the command's row. */
  row: string;
  output: string;
}

/** The rows of a slash command: a warning to the model, the command, what it printed. */
export function writeCommandRows(conversation: Conversation, { name, row, output }: Command): void {
  const { random, version } = conversation;
  const opens = name === 'clear';
  const link = { promptId: !opens, processId: !opens };
  const indent = ' '.repeat(version.name === '1.0.100' ? 10 : 12);
  const time = timestampOf(conversation.clock);
  writeUser(conversation, {
    content: caveat(conversation),
    flags: { isMeta: true },
    timestamp: timestampOf(conversation.clock + 30),
    ...link,
  });
  // The command is stored with the time at which it was typed: before the warning that stands above it.
  const content = `<command-name>/${name}</command-name>\n${indent}<command-message>${name}</command-message>\n${indent}<command-args></command-args>`;
  writeUser(conversation, { uuid: row, content, timestamp: time, ...link });
  const stdout = `<local-command-stdout>${output}</local-command-stdout>`;
  const printed = tick(conversation, 20, 40);
  if (!opens || !isLate(version)) {
    writeUser(conversation, { content: stdout, timestamp: printed, ...link });
    return;
  }
  writeChained(conversation, {
    body: {
      type: 'system',
      subtype: 'local_command',
      content: stdout,
      level: 'info',
      timestamp: printed,
      uuid: random.uuid(),
      isMeta: false,
      ...(isNewest(version) && { commandRun: { command: name, args: '' } }),
    },
  });
}

function caveat({ version }: Conversation): string {
  const old =
    'Caveat: The messages below were generated by the user while running local commands. DO NOT respond to these messages or otherwise consider them in your response unless the user explicitly asks you to.';
  if (isNewest(version))
    return "<local-command-caveat>The command below was run directly in Claude Code, not sent to you as a request, and its output goes straight to the user. It's recorded here as context for later messages.</local-command-caveat>";
  return isLate(version) ? `<local-command-caveat>${old}</local-command-caveat>` : old;
}
