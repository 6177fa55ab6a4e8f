import { countUsage, type Usage } from '../truth.ts';
import type { ToolCall } from './calls.ts';
import { type Conversation, type Row, takeNeedle, tick, writeChained } from './conversation.ts';
import { isLate, isNewest } from './versions.ts';

/** One API message, before it is written: every client writes one row per block. */
export interface Reply {
  thinking?: string;
  text?: string;
  calls?: ToolCall[];
  /** 2.1.325: the person pressed Esc while it came in. The last row says so, and the token counts are those of the start. */
  aborted?: boolean;
}

export interface WrittenReply {
  messageId: string;
  /** The row of each call, in the order of `calls`. */
  callRows: string[];
}

type Block =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | (Row & { type: 'tool_use' });

export function writeReply(conversation: Conversation, reply: Reply): WrittenReply {
  const { random, version, model } = conversation;
  const blocks = blocksOf(conversation, reply);
  const usage = nextUsage(conversation, blocks, reply.aborted ?? false);
  const messageId = `msg_01${random.base62(22)}`;
  const requestId = isLate(version) ? `req_011C${random.base62(20)}` : `req_011${random.base62(21)}`;
  const requestRef = random.uuid();
  const stop = reply.calls?.length ? 'tool_use' : 'end_turn';
  const callRows: string[] = [];

  blocks.forEach((block, index) => {
    const last = index === blocks.length - 1;
    const small = reply.aborted || (version.earlyUsageIsSmall && !last);
    const stopReason =
      reply.aborted || version.stopReason === 'no-row' || (version.stopReason === 'last-row' && !last) ? null : stop;
    const row = writeChained(conversation, {
      body: {
        message: {
          ...messageHead(conversation, messageId),
          content: [block],
          stop_reason: stopReason,
          stop_sequence: null,
          ...(isLate(version) && !reply.aborted && { stop_details: null }),
          usage: small
            ? startUsage(usage, reply.aborted ? 1 : Math.min(usage.output_tokens, random.integer(1, 8)))
            : finalUsage(conversation, usage, reply),
        },
        ...(isNewest(version) && blockFields(conversation, block, index)),
        requestId,
        ...(isNewest(version) && { requestRef, requestedModel: model, promptCacheRequested: version.cache }),
        ...(isNewest(version) && conversation.agentId && { attributionAgent: 'general-purpose' }),
        type: 'assistant',
        uuid: random.uuid(),
        timestamp: tick(conversation),
        ...(isNewest(version) && reply.aborted && last && { isAbortedMidStream: true }),
        ...(isNewest(version) && { effort: 'medium', perTurnEffort: 'medium', madeBy: 'model' }),
      },
      processId: true,
    });
    if (block.type === 'tool_use') callRows.push(row);
  });
  countUsage(conversation.truth, model, { ...usage, output_tokens: reply.aborted ? 1 : usage.output_tokens });
  return { messageId, callRows };
}

function blocksOf(conversation: Conversation, reply: Reply): Block[] {
  const { random, text, version } = conversation;
  const blocks: Block[] = [];
  if (reply.thinking !== undefined) {
    // From about 2.1.100 on most thinking is stored empty: only the signature is left.
    const hidden = isLate(version) && random.chance(0.6);
    const thinking = hidden ? '' : reply.thinking + takeNeedle(conversation, 'thinking');
    blocks.push({ type: 'thinking', thinking, signature: text.base64(random, random.longTail(300, 0.8, 6000) + 40) });
  }
  if (reply.text !== undefined) blocks.push({ type: 'text', text: reply.text + takeNeedle(conversation, 'reply') });
  for (const { id, name, input } of reply.calls ?? []) {
    blocks.push({
      type: 'tool_use',
      id,
      name,
      input,
      ...(version.name === '2.1.110' && { caller: { type: 'direct' } }),
    });
  }
  return blocks;
}

/** Works out the tokens of a request: the context so far is read from the cache, what is new is written to it. */
function nextUsage(conversation: Conversation, blocks: Block[], aborted: boolean): Usage {
  const { random, version } = conversation;
  const written = random.longTail(900, 1, 30_000);
  const usage: Usage = {
    input_tokens: random.integer(1, 12),
    cache_read_tokens: conversation.cachedTokens,
    cache_write_5m_tokens: version.cache === '5m' ? written : 0,
    cache_write_1h_tokens: version.cache === '1h' ? written : 0,
    output_tokens: Math.ceil(blocks.reduce((sum, block) => sum + JSON.stringify(block).length, 0) / 4),
  };
  if (!aborted) conversation.cachedTokens = Math.min(940_000, conversation.cachedTokens + written);
  return usage;
}

/** The API itself turned the order about: id first in 1.x, model first from 2.0.28 on. */
function messageHead({ version, model }: Conversation, id: string): Row {
  return version.name === '1.0.100'
    ? { id, type: 'message', role: 'assistant', model }
    : { model, id, type: 'message', role: 'assistant' };
}

/** What the first event of the stream tells, before any output is counted. */
function startUsage(usage: Usage, outputTokens: number): Row {
  return {
    input_tokens: usage.input_tokens,
    cache_creation_input_tokens: usage.cache_write_5m_tokens + usage.cache_write_1h_tokens,
    cache_read_input_tokens: usage.cache_read_tokens,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cache_write_5m_tokens,
      ephemeral_1h_input_tokens: usage.cache_write_1h_tokens,
    },
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}

function finalUsage({ version }: Conversation, usage: Usage, reply: Reply): Row {
  if (!isLate(version)) return startUsage(usage, usage.output_tokens);
  const counts = {
    input_tokens: usage.input_tokens,
    cache_creation_input_tokens: usage.cache_write_5m_tokens + usage.cache_write_1h_tokens,
    cache_read_input_tokens: usage.cache_read_tokens,
    output_tokens: usage.output_tokens,
  };
  const creation = {
    ephemeral_1h_input_tokens: usage.cache_write_1h_tokens,
    ephemeral_5m_input_tokens: usage.cache_write_5m_tokens,
  };
  return {
    ...counts,
    ...(isNewest(version) && {
      output_tokens_details: { thinking_tokens: reply.thinking ? usage.output_tokens >> 2 : 0 },
    }),
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: creation,
    inference_geo: '',
    // The same counts once more: a reader that adds up everything called *_tokens counts twice.
    iterations: isNewest(version) ? [] : [{ ...counts, cache_creation: creation, type: 'message' }],
    speed: 'standard',
    ...(isNewest(version) && { fallback_credit: null }),
  };
}

function blockFields({ random }: Conversation, block: Block, index: number): Row {
  const apiBlockIndex = index;
  if (block.type === 'thinking')
    return { thinkingDurationMs: random.integer(1, 9000), thinkingDisplay: 'updates', apiBlockIndex };
  if (block.type === 'tool_use') return { toolInputStreamMs: random.integer(1, 900), apiBlockIndex };
  return { apiBlockIndex };
}

interface SyntheticReply {
  text: string;
  /** Fields before and after isApiErrorMessage. */
  extra: Row;
}

/** A row that the client made up itself: an API error, or (2.1.110) the part of a reply that had come before Esc. */
export function writeSynthetic(conversation: Conversation, synthetic: SyntheticReply): string {
  const { random, version } = conversation;
  return writeChained(conversation, {
    body: {
      type: 'assistant',
      uuid: random.uuid(),
      timestamp: tick(conversation),
      message: {
        id: random.uuid(),
        container: null,
        model: '<synthetic>',
        role: 'assistant',
        ...(isLate(version) && { stop_details: null }),
        stop_reason: 'stop_sequence',
        stop_sequence: '',
        type: 'message',
        usage: {
          input_tokens: 0,
          output_tokens: 0,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
          service_tier: null,
          cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
          ...(isLate(version) && { inference_geo: null, iterations: null, speed: null }),
        },
        content: [{ type: 'text', text: synthetic.text }],
        context_management: null,
      },
      ...synthetic.extra,
    },
    processId: true,
  });
}
