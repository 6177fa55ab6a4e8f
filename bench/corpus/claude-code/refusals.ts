import { countEvent } from '../truth.ts';
import { callId, failed, type Outcome, type ToolCall } from './calls.ts';
import { type Conversation, type Row, writeUser } from './conversation.ts';
import { endTurn, writeDuration, writePrompt } from './prompts.ts';
import { writeReply } from './reply.ts';
import { bashCall } from './tools.ts';
import { lastWord, writeAnswer, writeResult } from './turns.ts';
import { isLate, isNewest } from './versions.ts';

// Fixed sentences, the same in all versions that were run.
export const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
export const STOP = ' STOP what you are doing and wait for the user to tell you how to proceed.';
const SAID = ' To tell you how to proceed, the user said:\n';
export const MARKER = '[Request interrupted by user]';
export const TOOL_MARKER = '[Request interrupted by user for tool use]';

export function writeMarker(conversation: Conversation, text: string, extra: Row = {}): void {
  writeUser(conversation, { content: [{ type: 'text', text }], extra });
}

/** Nobody has seen this outcome: the call never ran. */
export const neverRan: Outcome = { content: '', toolUseResult: null };

/** The person said no, and nothing else. In 1.0.100 the reason, if there is one, is simply the next prompt. */
export function rejectWithoutReason(conversation: Conversation): void {
  const call = askingCall(conversation);
  writePrompt(conversation);
  refuse(conversation, [call]);
  countEvent(conversation.truth, 'rejections', 'no-reason');
}

/** The person said no to the first of two calls; the second falls with it and was never asked about: one rejection. */
export function rejectParallel(conversation: Conversation): void {
  const calls = [askingCall(conversation), askingCall(conversation)];
  writePrompt(conversation);
  refuse(conversation, calls);
  countEvent(conversation.truth, 'rejections', 'parallel');
}

function refuse(conversation: Conversation, calls: ToolCall[]): void {
  const { version } = conversation;
  const { callRows } = writeReply(conversation, { text: conversation.text.phrase(conversation.random, 6), calls });
  const message = REFUSED + STOP;
  // The client's own copy: a fixed short sentence from about 2.1.37 on.
  const toolUseResult = isLate(version) ? 'User rejected tool use' : `Error: ${message}`;
  calls.forEach((call, index) => {
    writeResult(conversation, {
      call,
      callRow: callRows[index] ?? null,
      outcome: { content: message, isError: true, toolUseResult },
      denial: { toolDenialKind: 'user-rejected' },
      permissionDecision: null,
    });
  });
  writeMarker(conversation, TOOL_MARKER);
  if (isNewest(version)) writeDuration(conversation);
  endTurn(conversation, { duration: false });
}

/** The person said no and why; the model goes on in the same turn. */
export function rejectWithReason(conversation: Conversation): void {
  const { random, text } = conversation;
  const call = askingCall(conversation);
  const reason = text.phrase(random, random.integer(3, 18));
  writePrompt(conversation);
  const { callRows } = writeReply(conversation, { text: text.phrase(random, 6), calls: [call] });
  writeResult(conversation, {
    call,
    callRow: callRows[0] ?? null,
    outcome: failed(REFUSED + SAID + reason),
    denial: { toolDenialKind: 'user-rejected', userFeedback: reason, holdsPersonsWords: true },
    permissionDecision: { decision: 'reject', source: 'user_reject', reasonCode: 'unknown' },
  });
  countEvent(conversation.truth, 'rejections', 'reason');
  writeAnswer(conversation);
}

/** Something that one asks leave for: a command or a new file. */
function askingCall(conversation: Conversation): ToolCall {
  const { random, text, cwd } = conversation;
  if (random.chance(0.5))
    return bashCall(conversation, `rm -r ${cwd}/${text.word(random)} && touch ${cwd}/${text.path(random)}`, neverRan);
  return {
    id: callId(conversation),
    name: 'Write',
    input: { file_path: `${cwd}/${text.path(random)}`, content: text.code(random, random.longTail(600, 1, 9000)) },
    outcome: neverRan,
  };
}

interface Denial {
  manner: string;
  mode: string;
  tool: 'Bash' | 'Write';
  message: (subject: string, cwd: string) => string;
  kind: 'permission-rule' | 'user-rejected';
  decision: Row;
}

/** Refused by a rule or a mode: not an act of the person, though some of them say "user-rejected". Recorded in 2.1.325. */
const DENIALS: readonly Denial[] = [
  {
    manner: 'rule',
    mode: 'default',
    tool: 'Bash',
    message: (command) => `Permission to use Bash with command ${command} has been denied.`,
    kind: 'permission-rule',
    decision: {
      decision: 'reject',
      source: 'config',
      reasonType: 'subcommandResults',
      ruleSource: 'cliArg',
      reasonCode: 'rule:cliArg',
    },
  },
  {
    manner: 'plan-mode',
    mode: 'plan',
    tool: 'Write',
    message: (path) => `Cannot write to ${path} while in plan mode.`,
    kind: 'user-rejected',
    decision: { decision: 'reject', source: 'config', reasonCode: 'mode:plan' },
  },
  {
    manner: 'dont-ask',
    mode: 'dontAsk',
    tool: 'Bash',
    message: () =>
      "Permission to use Bash has been denied because Claude Code is running in don't ask mode. IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally be used to accomplish this goal.",
    kind: 'permission-rule',
    decision: { decision: 'reject', source: 'config', reasonType: 'mode', reasonCode: 'mode:dontAsk' },
  },
  {
    manner: 'needs-approval',
    mode: 'default',
    tool: 'Bash',
    message: (command, cwd) =>
      `${command} needs approval. The path is inside the working directories for this session ('${cwd}'), and Claude Code asks before a shell command writes there.`,
    kind: 'user-rejected',
    decision: { decision: 'reject', source: 'config', reasonCode: 'unknown' },
  },
];

export function deny(conversation: Conversation): void {
  const { random, text, cwd, interactive } = conversation;
  // The last two happen only where nobody can be asked.
  const denial = random.pick(interactive ? DENIALS.slice(0, 2) : DENIALS);
  const subject = denial.tool === 'Bash' ? `touch ${cwd}/${text.word(random)}.txt` : `${cwd}/${text.path(random)}`;
  const call: ToolCall =
    denial.tool === 'Bash'
      ? bashCall(conversation, subject, neverRan)
      : {
          id: callId(conversation),
          name: 'Write',
          input: { file_path: subject, content: text.code(random, 300) },
          outcome: neverRan,
        };
  const mode = conversation.permissionMode;
  conversation.permissionMode = denial.mode;
  writePrompt(conversation);
  const { callRows } = writeReply(conversation, { text: text.phrase(random, 5), calls: [call] });
  writeResult(conversation, {
    call,
    callRow: callRows[0] ?? null,
    outcome: failed(denial.message(subject, cwd)),
    denial: { toolDenialKind: denial.kind },
    permissionDecision: denial.decision,
  });
  writeReply(conversation, lastWord(conversation));
  endTurn(conversation);
  conversation.permissionMode = mode;
  countEvent(conversation.truth, 'denials', denial.manner);
}
