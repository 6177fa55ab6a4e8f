import { expect, test } from 'vitest';
import type { Block } from '../src/schema/blocks.ts';
import type { Message } from '../src/schema/message.ts';
import type { SessionView } from '../src/schema/stream.ts';
import { noTokens } from '../src/schema/tokens.ts';
import { rungOf } from '../src/transform/budget.ts';
import { draftOf } from '../src/transform/draft.ts';
import { calibrate, type TokenModel } from '../src/transform/estimate.ts';

const NO_TOKENS = { ...noTokens(), estimated: false };
const PLACE = { source: null, cleared_by: null };
const HUNDRED = 'abcdefghi\n'.repeat(10); // 90 letters and 10 newlines: 44.9 tokens with older models, 48.5 with newer ones

test('without usage the defaults hold', () => {
  const model = calibrate(session([prompt(HUNDRED), reply([text(HUNDRED)])]));
  expect(figures(model)).toEqual({ fixed: 26_500, scale: 1, samples: 0, keepsThinking: true });
  expect(model.ofText(HUNDRED)).toBeCloseTo(90 * 0.21 + 10 * 2.6);
});

test('one recorded input sets the fixed part, from all four kinds of input', () => {
  const usage = {
    ...NO_TOKENS,
    input_tokens: 4.9,
    cache_read_tokens: 9000,
    cache_write_5m_tokens: 1000,
    cache_write_1h_tokens: 40,
  };
  const model = calibrate(session([prompt(HUNDRED), { ...reply([text('ok')]), usage }]));
  expect(rounded(figures(model))).toEqual({ fixed: 10_000, scale: 1, samples: 1, keepsThinking: true });
});

test('a session whose text has a tenth more tokens is met, outliers or not', () => {
  const messages = conversation(60, (tokens, turn) => (turn === 30 ? 500_000 : 20_000 + 1.1 * tokens));
  const model = calibrate(session(messages));
  const { total } = contextOf(messages.slice(0, -1), model);
  const recorded = 20_000 + 1.1 * (60 * 20 + 59 * 20) * 44.9;
  expect(Math.abs(total - recorded) / recorded).toBeLessThan(0.01);
  expect(model.scale).toBeCloseTo(1.1, 1);
});

test('only replies before the message asked for are used', () => {
  const messages = conversation(4, (tokens, turn) => (turn < 2 ? 20_000 : 90_000) + tokens);
  const model = calibrate(session(messages), { before: 4 });
  expect(rounded(figures(model))).toEqual({ fixed: 20_000, scale: 1, samples: 2, keepsThinking: true });
});

test('a compaction takes the replaced messages out of the sum', () => {
  const messages = conversation(6, (tokens) => 20_000 + tokens);
  const summary = { ...prompt('short'), kind: 'summary' as const };
  const after = { ...reply([text('ok')], 'claude-opus-4-6'), usage: { ...NO_TOKENS, input_tokens: 20_001 } };
  const compacted = session([...messages, summary, after], { windows: [window(0, []), window(12, [[12, 12]])] });
  expect(rounded(figures(calibrate(compacted)))).toEqual({ fixed: 20_000, scale: 1, samples: 7, keepsThinking: true });
});

test('every request has no more than the smallest one had: what the last ones had besides is told apart', () => {
  const messages = conversation(40, (tokens, turn) => (turn < 10 ? 20_000 : 50_000) + tokens);
  const model = calibrate(session(messages));
  const last = 50_000 + (40 * 20 + 39 * 20) * 44.9;
  const { total } = contextOf(messages.slice(0, -1), model);
  expect(Math.round(model.fixed)).toBe(Math.round(20_000 + 0.2 * 20 * 44.9)); // messages weigh four fifths at least
  expect(Math.abs(total + model.unrecorded - last) / last).toBeLessThan(0.01);
  expect(model.unrecorded).toBeGreaterThan(25_000);
});

test('an input that was not recorded whole bounds nothing', () => {
  const whole = conversation(12, (tokens) => 20_000 + tokens);
  const broken = conversation(12, (tokens, turn) => (turn === 6 ? 3 : 20_000 + tokens));
  const [expected, model] = [whole, broken].map((messages) => calibrate(session(messages))) as [TokenModel, TokenModel];
  expect(model.unrecorded).toBe(0);
  expect(Math.abs(model.fixed - expected.fixed)).toBeLessThan(1000);
});

test('a result that was cleared counts until then, and not after', () => {
  const long = result(HUNDRED.repeat(400), 'compaction:c');
  const whole = 20_000 + 77 / 2 + 400 * 44.9;
  const cleared = 20_000 + 77 / 2 + 10 + 0.42;
  const messages = [toolResult([long]), asked(whole), asked(cleared)];
  const model = calibrate(session(messages, { boundaries: [{ id: 'compaction:c', after_message_index: 1 }] }));
  expect(rounded(figures(model))).toEqual({ fixed: 20_000, scale: 1, samples: 2, keepsThinking: true });
});

test('thinking is measured by its signature, and by its text where there is none', () => {
  const model = calibrate(session([]));
  const signed = thinking('a summary', 's'.repeat(1230));
  expect([signed, thinking('x'.repeat(1000), null)].map(model.ofBlock)).toEqual([750 * 0.295, 295]);
});

test('up to Sonnet 4.5 a prompt takes the thinking before it out of the context', () => {
  const turn = (modelName: string): Message[] => [
    prompt(HUNDRED),
    reply([thinking('x'.repeat(1000), null), text(HUNDRED)], modelName),
    prompt(HUNDRED),
    reply([thinking('x'.repeat(100), null)], modelName),
  ];
  const thinkingOf = (modelName: string): number => {
    const messages = turn(modelName);
    return contextOf(messages, calibrate(session(messages))).tokens.thinking;
  };
  expect(['claude-sonnet-4-5-20250929', 'claude-opus-4-5-20251101', 'claude-opus-4-8'].map(thinkingOf)).toEqual([
    29.5, 324.5, 412.5,
  ]);
});

test('a context is told by category', () => {
  const model = calibrate(session([]));
  const messages = [
    { ...prompt(HUNDRED), kind: 'summary' as const },
    { ...prompt('aa'), content: [text('aa'), image(png(750, 100))] },
    reply([thinking('x'.repeat(100), null), text('aaaa'), call({ a: { omitted_bytes: 1000, offset: 7 } })]),
    toolResult([result('a'.repeat(10), null)]),
    { ...prompt('aa'), kind: 'meta' as const },
  ];
  const { total, tokens } = contextOf(messages, model);
  expect({ fixed: model.fixed, ...rounded(tokens), total: Math.round(total) }).toEqual({
    fixed: 26_500,
    prompts: 0,
    replies: 1,
    thinking: 30,
    'tool calls': 382,
    'tool results': 41,
    images: 100,
    summaries: 45,
    'added by the client': 0,
    'not recorded': 0,
    total: 27_099,
  });
});

test('a giant string counts by its bytes, an image of unknown size at a flat cost, details of a result not at all', () => {
  const model = calibrate(session([]));
  const giant = { omitted_bytes: 1_000_000, offset: 0 };
  const detailed: Block = { ...result('', null), details: { stdout: HUNDRED } };
  const blocks = [{ ...text(''), text: giant }, image('/9j/4AAQ'), { ...image(''), data: giant }, detailed];
  expect(blocks.map(model.ofBlock).map(Math.round)).toEqual([340_000, 1600, 1600, 39]);
});

function contextOf(messages: Message[], model: TokenModel) {
  return rungOf('', draftOf(session(messages), model, [...messages.keys()]), model, 0);
}

function figures({ fixed, scale, samples, keepsThinking }: TokenModel) {
  return { fixed, scale, samples, keepsThinking };
}

function rounded<T extends object>(values: T): T {
  const entries = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === 'number' ? Math.round(value) : value,
  ]);
  return Object.fromEntries(entries) as T; // the same keys
}

/** Prompts and replies of 20 × 44.9 tokens each; `recorded` gives the input of each reply for the tokens before it. */
function conversation(turns: number, recorded: (tokens: number, turn: number) => number): Message[] {
  return Array.from({ length: turns }, (_, turn) => {
    const tokens = (2 * turn + 1) * 20 * 44.9;
    const usage = { ...NO_TOKENS, input_tokens: recorded(tokens, turn) };
    return [prompt(HUNDRED.repeat(20)), { ...reply([text(HUNDRED.repeat(20))], 'claude-opus-4-6'), usage }];
  }).flat();
}

function asked(tokens: number): Message {
  return { ...reply([text('ok')], 'claude-opus-4-6'), usage: { ...NO_TOKENS, input_tokens: tokens } };
}

function window(opened_at_index: number, start: [number, number][]) {
  return { opened_at_index, start };
}

function session(messages: Message[], { windows = [window(0, [])], boundaries = [] as object[] } = {}): SessionView {
  const placed = messages.map((message, index) => ({ ...message, index }));
  // As much of a document as the module reads.
  const document = {
    session: { models: [], extra: {} },
    context: { windows },
    compaction: { boundaries },
  } as unknown as SessionView['document'];
  return {
    document,
    messageCount: placed.length,
    messages: () => placed,
    message: (index) => placed[index] as Message,
    allEvents: () => document,
    purposeOf: () => 'other',
    sentMarks: () => placed,
    toolCalls: () => [],
    records: () => [],
  };
}

function message(role: Message['role'], kind: Message['kind'], content: Block[]): Message {
  const place = { index: 0, id: 'm', parent_id: null, turn: null, timestamp: null, source: [], extra: {} };
  const reply = { model: null, stop_reason: null, usage: null, request_id: null };
  const state = { sent: true, sent_before: null, live: true, left_by: null, left_at_index: null, inherited: null };
  return { ...place, role, kind, content, ...reply, ...state };
}

function prompt(words: string): Message {
  return message('user', 'prompt', [text(words)]);
}

function reply(content: Block[], model: string | null = null): Message {
  const usage = model === null ? null : NO_TOKENS;
  return { ...message('assistant', 'reply', content), model, usage };
}

function toolResult(content: Block[]): Message {
  return message('user', 'tool_result', content);
}

function text(words: string): Extract<Block, { type: 'text' }> {
  return { type: 'text', text: words, ...PLACE };
}

function thinking(words: string, signature: string | null): Block {
  return { type: 'thinking', text: words, subject: null, signature, encrypted: null, ...PLACE };
}

function call(input: Extract<Block, { type: 'tool_use' }>['input']): Block {
  return { type: 'tool_use', id: 't', name: 'Aa', input, ...PLACE };
}

function result(words: string, cleared_by: string | null): Extract<Block, { type: 'tool_result' }> {
  const content = [{ type: 'text' as const, text: words }];
  return { type: 'tool_result', tool_use_id: 't', is_error: false, content, details: null, source: null, cleared_by };
}

function image(data: string): Extract<Block, { type: 'image' }> {
  return { type: 'image', media_type: null, data, url: null, ...PLACE };
}

/** The head of a PNG. */
function png(width: number, height: number): string {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452'.padEnd(48, '0'), 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}
