import { writeOpeningAttachments, writePerPrompt } from './attachments.ts';
import { largest } from './calls.ts';
import {
  type Conversation,
  type Row,
  takeNeedle,
  tick,
  timestampOf,
  writeChained,
  writeLoose,
  writeUser,
} from './conversation.ts';
import { isLate, isNewest } from './versions.ts';

interface Prompt {
  text?: string;
  /** 2.1.325: the place was gone back to, by /rewind or Esc; the client then says so in a last-prompt row. */
  wentBack?: boolean;
}

const NO_LEAF = '00000000-0000-0000-0000-000000000000';

/** Writes a prompt and all that the client puts around it; the answer is up to the caller. */
export function writePrompt(conversation: Conversation, prompt: Prompt = {}): string {
  const { random, text, version } = conversation;
  const first = conversation.turnIndex === 0;
  const words =
    (prompt.text ?? text.prose(random, random.longTail(150, 1.1, 12_000)).trim()) + takeNeedle(conversation, 'prompt');
  const queued = !first && version.hasHistory && conversation.interactive && random.chance(0.03);
  const uuid = random.uuid();
  // A person reads and thinks between two prompts.
  tick(conversation, 4000, 400_000);
  if (!conversation.interactive || queued) writeQueue(conversation, words);
  conversation.prompt = words;
  conversation.promptId = random.uuid();
  conversation.promptRow = uuid;
  conversation.turnIndex++;
  if (conversation.interactive) conversation.promptIndex++;
  addHistory(conversation, words);
  writeSnapshot(conversation, uuid);
  const image = !prompt.text && random.chance(0.025);
  writeUser(conversation, {
    uuid,
    timestamp: timestampOf(conversation.clock),
    content: image ? [{ type: 'text', text: words }, imageBlock(conversation)] : words,
    extra: promptFields(conversation, queued ? 'queued' : 'typed', image),
    processId: false,
  });
  if (prompt.wentBack)
    writeLoose(conversation, {
      type: 'last-prompt',
      leafUuid: NO_LEAF,
      explicit: true,
      sessionId: conversation.sessionId,
    });
  if (first) writeOpeningAttachments(conversation);
  else if (conversation.snapshotDue && isNewest(version)) writePerPrompt(conversation);
  return uuid;
}

function imageBlock(conversation: Conversation): Row {
  const { random, text } = conversation;
  const data = `iVBORw0KGgo${text.base64(random, random.longTail(200_000, 1.1, largest(conversation)))}A`;
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
}

function promptFields(conversation: Conversation, source: 'typed' | 'queued', image: boolean): Row {
  const { version, permissionMode, interactive, promptIndex, turnIndex } = conversation;
  const pasted = image && version.name !== '1.0.100' ? { imagePasteIds: [promptIndex] } : {};
  switch (version.name) {
    case '1.0.100':
      return {};
    case '2.0.42':
      return { thinkingMetadata: { level: 'high', disabled: false, triggers: [] }, ...pasted };
    case '2.1.20':
      return { thinkingMetadata: { maxThinkingTokens: 31_999 }, todos: [], ...pasted, permissionMode };
    case '2.1.110':
      return { ...pasted, permissionMode };
    case '2.1.325':
      return interactive
        ? {
            ...pasted,
            permissionMode,
            origin: { kind: 'human' },
            promptSource: source,
            turnOrigin: 'human',
            turnPosition: { promptIndex, turnIndex },
          }
        : { permissionMode, promptSource: 'sdk', turnOrigin: 'sdk', turnPosition: { promptIndex: 0, turnIndex } };
  }
}

function writeQueue(conversation: Conversation, content: string): void {
  const { sessionId } = conversation;
  writeLoose(conversation, {
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: timestampOf(conversation.clock),
    sessionId,
    content,
  });
  writeLoose(conversation, {
    type: 'queue-operation',
    operation: 'dequeue',
    timestamp: tick(conversation, 2, 5),
    sessionId,
  });
}

/** A row of history.jsonl: only what a person typed, and only in clients that keep the file. */
export function addHistory(conversation: Conversation, words: string, { stampNow = false } = {}): void {
  const { version, interactive, history, cwd, sessionId, clock } = conversation;
  if (!version.hasHistory || !interactive) return;
  // Long text is pasted, and a paste is shown by a short mark.
  const display = words.length > 800 ? `[Pasted text #1 +${words.split('\n').length} lines]` : words;
  const row = { display, timestamp: clock, project: cwd, sessionId };
  history.push(row);
  if (version.name === '2.0.42' && !stampNow) conversation.stampAtEnd = row;
}

/** Which of the person's files the client could bring back. */
export function writeSnapshot(conversation: Conversation, messageId: string): void {
  const { version, interactive } = conversation;
  if (!version.hasHistory || !interactive) return;
  writeLoose(conversation, {
    type: 'file-history-snapshot',
    messageId,
    snapshot: {
      messageId,
      trackedFileBackups: trackedFiles(conversation),
      timestamp: timestampOf(conversation.clock + 6),
    },
    isSnapshotUpdate: false,
  });
}

function trackedFiles({ trackedFiles, version, cwd }: Conversation): Row {
  const entries = [...trackedFiles].map(([path, backup]) => [
    path,
    {
      backupFileName: `${backup.name}@v${backup.version}`,
      version: backup.version,
      backupTime: backup.time,
      ...(isNewest(version) && { realParentDir: `${cwd}/src` }),
    },
  ]);
  return Object.fromEntries(entries);
}

/** A file is about to be changed: its old state is kept. */
export function writeBackup(conversation: Conversation, path: string, callRow: string): void {
  const { version, interactive, trackedFiles: tracked, random } = conversation;
  if (!version.hasHistory || !interactive || conversation.agentId) return;
  const known = tracked.get(path);
  const backup = {
    name: known?.name ?? random.hex(16),
    version: (known?.version ?? 0) + 1,
    time: timestampOf(conversation.clock),
  };
  tracked.set(path, backup);
  // Real clients list all files; a bound keeps a session of hundreds of megabytes from growing by the square.
  if (tracked.size > 12) tracked.delete(tracked.keys().next().value ?? '');
  const timestamp = timestampOf(conversation.clock + 1);
  if (isNewest(version)) {
    const kept = {
      backupFileName: `${backup.name}@v${backup.version}`,
      version: backup.version,
      backupTime: backup.time,
      realParentDir: `${conversation.cwd}/src`,
    };
    writeLoose(conversation, {
      type: 'file-history-delta',
      messageId: callRow,
      snapshotMessageId: conversation.promptRow,
      trackingPath: path,
      backup: kept,
      timestamp,
    });
    return;
  }
  writeLoose(conversation, {
    type: 'file-history-snapshot',
    messageId: callRow,
    snapshot: { messageId: conversation.promptRow, trackedFileBackups: trackedFiles(conversation), timestamp },
    isSnapshotUpdate: true,
  });
}

/** What stands between two turns: how long it took, and rows that only say where the session is. */
export function endTurn(conversation: Conversation, { duration = true } = {}): void {
  const { random, version, sessionId, interactive, permissionMode } = conversation;
  if (conversation.stampAtEnd) conversation.stampAtEnd.timestamp = conversation.clock;
  conversation.stampAtEnd = null;
  if (duration && interactive && writesDuration(conversation)) writeDuration(conversation);
  if (!isLate(version) || !random.chance(0.35)) return;
  const lastPrompt = conversation.prompt.replace(/\s+/g, ' ').slice(0, 200);
  writeLoose(
    conversation,
    isNewest(version)
      ? { type: 'last-prompt', lastPrompt, leafUuid: conversation.leaf, sessionId }
      : { type: 'last-prompt', lastPrompt, sessionId },
  );
  if (isNewest(version)) writeLoose(conversation, { type: 'mode', mode: 'normal', sessionId });
  if (interactive) writeLoose(conversation, { type: 'permission-mode', permissionMode, sessionId });
}

/** 2.1.325 writes it after every turn; the older ones, in public files, after some. */
function writesDuration({ version, random }: Conversation): boolean {
  if (isNewest(version)) return true;
  return (version.name === '2.1.110' || version.name === '2.1.20') && random.chance(0.5);
}

/** Also after the marker of a refused call (2.1.325), which tells it from an interrupted one. */
export function writeDuration(conversation: Conversation): void {
  const { random, version } = conversation;
  const body = {
    type: 'system',
    subtype: 'turn_duration',
    durationMs: random.integer(800, 400_000),
    ...(isLate(version) && { messageCount: conversation.chained }),
  };
  writeChained(conversation, {
    body: { ...body, timestamp: tick(conversation, 3, 30), uuid: random.uuid(), isMeta: false },
  });
}
