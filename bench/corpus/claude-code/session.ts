import { createLineFile } from '../line-file.ts';
import { createRandom } from '../random.ts';
import type { TextSource } from '../text.ts';
import { countEvent, type Truth } from '../truth.ts';
import { compactByHand, compactByItself, folderName, writeCommandRows } from './compaction.ts';
import { type Conversation, type HistoryRow, type Row, tick, writeLoose } from './conversation.ts';
import { fail, interruptEarly, interruptMidText, interruptTool, rewind } from './disturbances.ts';
import type { EventName, SessionPlan } from './plan.ts';
import { writePrompt, writeSnapshot } from './prompts.ts';
import { deny, rejectParallel, rejectWithoutReason, rejectWithReason } from './refusals.ts';
import { writeDelegation, writeWarmup } from './subagents.ts';
import { writeAnswer, writeRound, writeTurn } from './turns.ts';
import { isNewest } from './versions.ts';

/** The home that is being written, and what is shared by its sessions. */
export interface Home {
  /** The folder that stands for ~/.claude. */
  root: string;
  seed: number;
  text: TextSource;
  truth: Truth;
  history: HistoryRow[];
}

/** What the next session of the same process must know. */
export interface WrittenSession {
  path: string;
  bytes: number;
  endedAt: number;
  processId: string;
}

const EVENTS: Record<EventName, (conversation: Conversation) => void> = {
  'compaction-manual': compactByHand,
  'compaction-auto': compactByItself,
  'interruption-mid-text': interruptMidText,
  'interruption-tool': interruptTool,
  'interruption-early': interruptEarly,
  'rejection-no-reason': rejectWithoutReason,
  'rejection-reason': rejectWithReason,
  'rejection-parallel': rejectParallel,
  rewind,
  denial: deny,
  failure: fail,
};

export function writeSession(home: Home, plan: SessionPlan, predecessor: WrittenSession | null): WrittenSession {
  const folder = `${home.root}/projects/${folderName(plan.cwd)}`;
  const path = `${folder}/${plan.sessionId}.jsonl`;
  const conversation = openConversation(home, plan, path, predecessor);
  const { file, truth } = conversation;
  truth.sessions.main++;
  writeOpening(conversation);
  if (plan.clearedFrom) writeClear(conversation, plan);
  if (plan.bare) truth.sessions.bare_clears++;
  else {
    for (let warmups = plan.warmups; warmups > 0; warmups--) writeWarmup(conversation, folder);
    writeTurns(conversation, plan, folder);
    if (isNewest(plan.version)) writeCostState(conversation);
  }
  if (plan.badLine === 'torn') {
    file.tornRow(unfinishedRow(conversation));
    truth.bad_lines.torn++;
  }
  tick(conversation, 1000, 20_000);
  const bytes = file.size();
  file.close(conversation.clock);
  return { path, bytes, endedAt: conversation.clock, processId: conversation.processId };
}

export function openConversation(
  home: Home,
  plan: SessionPlan,
  path: string,
  predecessor: WrittenSession | null,
): Conversation {
  const random = createRandom(home.seed, 5000 + plan.index);
  return {
    random,
    text: home.text,
    truth: home.truth,
    file: createLineFile(path, home.truth),
    version: plan.version,
    sessionId: plan.sessionId,
    processId: predecessor?.processId ?? plan.sessionId,
    interactive: plan.interactive,
    cwd: plan.cwd,
    gitBranch: random.pick(['main', 'main', 'develop', `feature/${home.text.word(random)}`]),
    slug:
      plan.version.name.startsWith('2.1') && random.chance(0.4)
        ? home.text.phrase(random, 3).replaceAll(' ', '-')
        : null,
    model: random.pick(plan.version.models),
    permissionMode: plan.interactive
      ? random.pick(['default', 'acceptEdits', 'bypassPermissions'])
      : 'bypassPermissions',
    agentId: null,
    history: home.history,
    stampAtEnd: null,
    needles: plan.needles,
    clock: predecessor ? predecessor.endedAt + random.integer(200, 2000) : plan.startsAt,
    leaf: null,
    promptId: random.uuid(),
    promptRow: '',
    prompt: '',
    promptIndex: 0,
    turnIndex: 0,
    chained: 0,
    cachedTokens: random.integer(11_000, 24_000),
    droppedTokens: 0,
    trackedFiles: new Map(),
    toolsUsed: [],
    recent: [],
    enough: plan.bytes,
    observe: null,
    snapshotDue: isNewest(plan.version),
  };
}

export function writeOpening(conversation: Conversation): void {
  const { random, text, version, sessionId, permissionMode, interactive } = conversation;
  if (isNewest(version)) {
    writeLoose(conversation, { type: 'mode', mode: 'normal', sessionId });
    if (interactive) writeLoose(conversation, { type: 'permission-mode', permissionMode, sessionId });
    writeLoose(conversation, { type: 'atis-latch', atis: '', sessionId });
  }
  if (version.name === '2.1.110') writeLoose(conversation, { type: 'permission-mode', permissionMode, sessionId });
  // Titles of earlier sessions: in these versions they stand at the head of whatever file was open.
  for (let titles = version.name === '1.0.100' ? random.integer(0, 3) : 0; titles > 0; titles--) {
    writeLoose(conversation, { type: 'summary', summary: text.phrase(random, 6), leafUuid: random.uuid() });
  }
}

/** A session that a /clear has opened starts with the rows of that command; the old one has no trace of it. */
function writeClear(conversation: Conversation, plan: SessionPlan): void {
  const { random, version, history, cwd, sessionId } = conversation;
  const command = random.uuid();
  const typedAt = conversation.clock;
  writeSnapshot(conversation, command);
  writeCommandRows(conversation, { name: 'clear', row: command, output: '' });
  const old = plan.clearedFrom?.sessionId ?? sessionId;
  if (version.name === '2.0.42') {
    // It wrote the row three or four times, under the new id, a little later.
    const time = typedAt + random.integer(270, 400);
    for (let copies = random.integer(3, 4); copies > 0; copies--)
      history.push({ display: '/clear ', timestamp: time + (copies > 2 ? 0 : 1), project: cwd, sessionId });
  } else if (version.hasHistory) {
    history.push({ display: '/clear', timestamp: typedAt - random.integer(8, 25), project: cwd, sessionId: old });
  }
  countEvent(conversation.truth, 'clears', version.name);
}

function writeTurns(conversation: Conversation, plan: SessionPlan, folder: string): void {
  const { file } = conversation;
  const start = file.size();
  const events = [...plan.events];
  const delegations = [...plan.subagents];
  // Everything that is planned is spread evenly over the file; the first turn is always a plain one.
  const planned = events.length + delegations.length + 1;
  let due = 1;
  writeTurn(conversation);
  writeTitle(conversation);
  writeBadLine(conversation, plan);
  while (file.size() - start < plan.bytes || events.length + delegations.length + conversation.needles.length > 0) {
    // A word that is still to be planted may need another tool call, even though the file is long enough.
    if (conversation.needles.length > 0) conversation.enough = Math.max(plan.bytes, file.size() + 20_000);
    const isDue = file.size() - start >= (plan.bytes * due) / planned;
    const delegation = isDue || file.size() - start >= plan.bytes ? delegations.shift() : undefined;
    const event = isDue && delegation === undefined ? events.shift() : undefined;
    if (delegation !== undefined || event) due++;
    if (delegation !== undefined) writeDelegation(conversation, { folder, bytes: delegation });
    else if (event) EVENTS[event](conversation);
    else if (!plan.calm && contextIsFull(conversation)) compactByItself(conversation);
    else writeTurn(conversation);
  }
}

/** A million tokens are on offer for the newest models, but most sessions are compacted long before. */
function contextIsFull({ cachedTokens, version }: Conversation): boolean {
  return cachedTokens > (isNewest(version) ? 330_000 : 160_000);
}

function writeTitle(conversation: Conversation): void {
  const { random, text, sessionId, version, interactive } = conversation;
  if (isNewest(version) && interactive)
    writeLoose(conversation, { type: 'ai-title', aiTitle: text.phrase(random, 5), sessionId });
}

const BROKEN_WORD = 'brokenbyte';

function writeBadLine(conversation: Conversation, { badLine }: SessionPlan): void {
  const { file, truth, text, random } = conversation;
  switch (badLine) {
    case 'glued':
      writePrompt(conversation);
      file.glueNextRow();
      writeRound(conversation);
      writeAnswer(conversation);
      truth.bad_lines.glued++;
      break;
    case 'blank':
      file.blankLine();
      truth.bad_lines.blank++;
      break;
    case 'invalid_utf8':
      file.breakNextRow(BROKEN_WORD);
      writeTurn(conversation, { text: `${text.phrase(random, 8)} ${BROKEN_WORD} ${text.phrase(random, 8)}` });
      truth.bad_lines.invalid_utf8++;
      break;
    case 'torn':
    case null:
      break;
  }
}

/** A reply of which half reached the disk: the text, but not the token counts behind it. */
function unfinishedRow({ random, text, leaf, model }: Conversation): Row {
  const content = [{ type: 'text', text: text.prose(random, 2400) }];
  return {
    parentUuid: leaf,
    isSidechain: false,
    message: {
      model,
      id: `msg_01${random.base62(22)}`,
      type: 'message',
      role: 'assistant',
      content,
      stop_reason: 'end_turn',
    },
  };
}

/** Totals that the client kept for itself; they repeat what the rows say. */
function writeCostState(conversation: Conversation): void {
  const { sessionId, random, model, cachedTokens, clock } = conversation;
  const costUSD = random.integer(1, 900_000) / 100_000;
  const counts = {
    inputTokens: random.integer(10, 900),
    outputTokens: random.integer(100, 90_000),
    cacheReadInputTokens: cachedTokens * 7,
    cacheCreationInputTokens: cachedTokens,
  };
  writeLoose(conversation, {
    type: 'cost-state',
    sessionId,
    totalCostUSD: costUSD,
    totalAPIDuration: random.integer(900, 900_000),
    totalAPIDurationWithoutRetries: random.integer(800, 800_000),
    totalToolDuration: random.integer(90, 90_000),
    totalLinesAdded: random.integer(0, 900),
    totalLinesRemoved: random.integer(0, 900),
    totalDuration: 600_000,
    startTime: clock - 600_000,
    modelUsage: { [model]: { ...counts, webSearchRequests: 0, costUSD } },
    hasUnknownModelCost: false,
  });
}
