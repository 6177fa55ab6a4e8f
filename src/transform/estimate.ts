// How many tokens a session's context has, and a slimmer copy of it will have.
//
// Text is weighed (estimate-weights.ts), then a line is laid through the inputs that the session itself
// recorded: fixed + scale × weight. What no history holds (system prompt, tools, memory files) is `fixed`.

import type { Block } from '../schema/blocks.ts';
import type { Message } from '../schema/message.ts';
import type { SessionView } from '../schema/stream.ts';
import { type Line, lineThrough } from './estimate-line.ts';
import { recordedInputs, startsTurn } from './estimate-samples.ts';
import { keepsThinking, weightOfBlock, weightOfText, weightsOf } from './estimate-weights.ts';

/** The parts of a context, as a person would name them. */
type TokenCategory =
  | 'prompts'
  | 'replies'
  | 'thinking'
  | 'tool_calls'
  | 'tool_results'
  | 'images'
  | 'summaries'
  | 'meta';

interface ContextTokens {
  /** Everything, `fixed` included: the whole input of a request with this context. */
  total: number;
  fixed: number;
  categories: Record<TokenCategory, number>;
}

/** Tokens of parts of a session, as its own recorded usage suggests. */
export interface TokenModel {
  /** What every request has besides its messages: system prompt, tools. */
  fixed: number;
  /** Tokens for each token of the default weights: 1 where nothing is known of the session. */
  scale: number;
  /** Number of recorded inputs that it was calibrated on; 0: defaults only. */
  samples: number;
  /** Whether thinking from before the last prompt is still sent. */
  keepsThinking: boolean;
  ofText(text: string): number;
  /** Tokens of one block of a message as it is sent. Thinking in full, also where the API would leave it out. */
  ofBlock(block: Block): number;
  ofMessage(message: Message): number;
  /** The messages of a context, in the order sent. Thinking that is no longer sent counts nothing. */
  ofContext(messages: Iterable<Message>): ContextTokens;
}

export interface CalibrateOptions {
  /** Only inputs of replies before this message are used. */
  before?: number;
}

export function calibrate(session: SessionView, options: CalibrateOptions = {}): TokenModel {
  const { samples, model } = recordedInputs(session, options.before ?? session.messageCount);
  const line = samples.length === 0 ? lineOfOrigin(session) : undefined;
  return tokenModel(line ?? lineThrough(samples), model, samples.length);
}

/** A copy has no usage of its own; it says how its origin was counted, so that a copy of a copy is counted alike. */
function lineOfOrigin({ document }: SessionView): Line | undefined {
  const told = document.session.extra.estimate;
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return undefined;
  const { fixed, scale } = told;
  return typeof fixed === 'number' && typeof scale === 'number' && fixed >= 0 && scale > 0
    ? { fixed, scale }
    : undefined;
}

function tokenModel({ fixed, scale }: Line, model: string | null, samples: number): TokenModel {
  const weights = weightsOf(model);
  const keeps = keepsThinking(model);
  const ofBlock = (block: Block): number => scale * weightOfBlock(block, weights);
  return {
    fixed,
    scale,
    samples,
    keepsThinking: keeps,
    ofText: (text) => scale * weightOfText(text, weights),
    ofBlock,
    ofMessage: (message) => message.content.reduce((sum, block) => sum + ofBlock(block), 0),
    ofContext: (messages) => contextTokens(messages, { fixed, keeps, ofBlock }),
  };
}

interface Counting {
  fixed: number;
  keeps: boolean;
  ofBlock: (block: Block) => number;
}

function contextTokens(messages: Iterable<Message>, { fixed, keeps, ofBlock }: Counting): ContextTokens {
  const categories: Record<TokenCategory, number> = {
    prompts: 0,
    replies: 0,
    thinking: 0,
    tool_calls: 0,
    tool_results: 0,
    images: 0,
    summaries: 0,
    meta: 0,
  };
  for (const message of messages) {
    if (startsTurn(message) && !keeps) categories.thinking = 0;
    for (const block of message.content) categories[categoryOf(block, message)] += ofBlock(block);
  }
  const total = Object.values(categories).reduce((sum, tokens) => sum + tokens, fixed);
  return { total, fixed, categories };
}

function categoryOf(block: Block, message: Message): TokenCategory {
  switch (block.type) {
    case 'thinking':
      return 'thinking';
    case 'tool_use':
      return 'tool_calls';
    case 'tool_result':
      return 'tool_results';
    case 'image':
      return 'images';
    case 'attachment':
    case 'unknown':
      return 'meta';
    case 'text':
      return categoryOfText(message);
  }
}

function categoryOfText({ kind, role }: Message): TokenCategory {
  if (kind === 'summary') return 'summaries';
  if (kind === 'prompt') return 'prompts';
  return kind === 'reply' && role === 'assistant' ? 'replies' : 'meta';
}
