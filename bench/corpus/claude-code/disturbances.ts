import { countEvent } from '../truth.ts';
import { failed, type Outcome } from './calls.ts';
import { type Conversation, type Row, tick, writeChained } from './conversation.ts';
import { addHistory, endTurn, writePrompt } from './prompts.ts';
import { MARKER, neverRan, REFUSED, STOP, TOOL_MARKER, writeMarker } from './refusals.ts';
import { writeReply, writeSynthetic } from './reply.ts';
import { bashCall } from './tools.ts';
import { someWords, writeAnswer, writeResult, writeTurn } from './turns.ts';
import { isLate, isNewest } from './versions.ts';

/** Esc while the model was writing. */
export function interruptMidText(conversation: Conversation): void {
  const { random, text, version } = conversation;
  writePrompt(conversation);
  const partial = text.prose(random, random.longTail(300, 0.8, 3000));
  let extra: Row = {};
  if (isNewest(version)) {
    const { messageId } = writeReply(conversation, {
      ...(random.chance(0.4) && { thinking: text.prose(random, 200) }),
      text: partial,
      aborted: true,
    });
    extra = { interruptedMessageId: messageId };
  } else if (isLate(version)) {
    writeSynthetic(conversation, { text: partial, extra: { isApiErrorMessage: false } });
  }
  // Older clients lose what had come so far: nothing but the marker is left.
  writeMarker(conversation, MARKER, extra);
  endTurn(conversation, { duration: false });
  countEvent(conversation.truth, 'interruptions', 'mid-text');
}

/** Esc while a command ran. In 2.1.325 its result is, to the letter, that of a refused call; only the marker tells. */
export function interruptTool(conversation: Conversation): void {
  const { random, text, version } = conversation;
  const partial = text.code(random, random.longTail(200, 1, 4000));
  const call = bashCall(conversation, `echo ${text.word(random)}; sleep 300; echo ${text.word(random)}`, neverRan);
  writePrompt(conversation);
  const { messageId, callRows } = writeReply(conversation, { ...someWords(conversation), calls: [call] });
  writeResult(conversation, {
    call,
    callRow: callRows[0] ?? null,
    outcome: stoppedOutcome(version.name, partial),
    denial: { toolDenialKind: 'user-rejected' },
    permissionDecision: null,
  });
  writeMarker(conversation, TOOL_MARKER, isNewest(version) ? { interruptedMessageId: messageId } : {});
  endTurn(conversation, { duration: false });
  countEvent(conversation.truth, 'interruptions', 'running-tool');
}

function stoppedOutcome(version: string, partial: string): Outcome {
  switch (version) {
    case '2.1.325':
      return { content: REFUSED + STOP, isError: true, toolUseResult: 'User rejected tool use' };
    case '1.0.100':
      return failed(`${TOOL_MARKER}\n${partial}`);
    case '2.1.20':
      return failed(TOOL_MARKER);
    default:
      return failed(`Exit code 137\n${TOOL_MARKER}\n${partial}`);
  }
}

/** Esc before the first byte: in 2.1.325 the prompt stays behind alone and the next one is its sibling, without a marker. */
export function interruptEarly(conversation: Conversation): void {
  const { leaf, promptIndex, turnIndex } = conversation;
  writePrompt(conversation);
  Object.assign(conversation, { leaf, promptIndex, turnIndex });
  writePrompt(conversation, { wentBack: true });
  writeAnswer(conversation);
  countEvent(conversation.truth, 'interruptions', 'before-first-byte');
}

/** /rewind (2.1.325): finished turns are left behind, the next prompt is a sibling of the first of them. */
export function rewind(conversation: Conversation): void {
  const { leaf, promptIndex, turnIndex, random } = conversation;
  for (let turns = random.integer(1, 2); turns > 0; turns--) writeTurn(conversation);
  tick(conversation, 3000, 60_000);
  addHistory(conversation, '/rewind');
  Object.assign(conversation, { leaf, promptIndex, turnIndex });
  writeTurn(conversation, { wentBack: true });
  countEvent(conversation.truth, 'rewinds', 'rewind');
}

interface Failure {
  manner: string;
  status: number;
  /** The API's own word, and the client's. */
  type: string;
  error: string;
  message: string;
}

const FAILURES: readonly Failure[] = [
  { manner: 'overloaded', status: 529, type: 'overloaded_error', error: 'server_error', message: 'Overloaded' },
  {
    manner: 'rate-limit',
    status: 429,
    type: 'rate_limit_error',
    error: 'rate_limit',
    message: 'This request would exceed your rate limit.',
  },
  { manner: 'server', status: 500, type: 'api_error', error: 'server_error', message: 'Internal server error' },
  {
    manner: 'auth',
    status: 401,
    type: 'authentication_error',
    error: 'authentication_failed',
    message: 'invalid x-api-key',
  },
];

/** The API gave an error, and the client gave up. Retries before it belong to the same failure. */
export function fail(conversation: Conversation): void {
  const { random, version } = conversation;
  const failure = random.pick(FAILURES);
  const answer = {
    type: 'error',
    error: { type: failure.type, message: failure.message },
    request_id: `req_011C${random.base62(20)}`,
  };
  writePrompt(conversation);
  const retries = isLate(version) && failure.status >= 429 && random.chance(0.4) ? random.integer(1, 3) : 0;
  for (let attempt = 1; attempt <= retries; attempt++) {
    writeChained(conversation, {
      body: {
        type: 'system',
        subtype: 'api_error',
        level: 'error',
        error: { status: failure.status, requestID: answer.request_id, error: answer },
        retryInMs: 500 * 2 ** attempt,
        retryAttempt: attempt,
        maxRetries: 10,
        ...(isNewest(version) && { source: 'sdk' }),
        timestamp: tick(conversation, 500, 4000),
        uuid: random.uuid(),
      },
    });
  }
  writeSynthetic(conversation, {
    text: `API Error: ${failure.status} ${JSON.stringify(answer)}`,
    extra: {
      ...(isLate(version) && { error: failure.error }),
      isApiErrorMessage: true,
      ...(isNewest(version) && {
        apiErrorStatus: failure.status,
        apiErrorType: failure.type,
        failedResponseHadNoToolCall: true,
      }),
    },
  });
  endTurn(conversation, { duration: false });
  countEvent(conversation.truth, 'failures', retries > 0 ? `${failure.manner}-after-retries` : failure.manner);
}
