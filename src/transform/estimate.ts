// How many tokens a session's context has, and a slimmer copy of it will have.
//
// Text is weighed (estimate-weights.ts), then a line is laid through the inputs that the session itself
// recorded: fixed + scale × weight. What no history holds (system prompt, tools, memory files) is `fixed`.

import type { Block } from '../schema/blocks.ts';
import type { SessionView } from '../schema/stream.ts';
import { type Line, lineThrough } from './estimate-line.ts';
import { recordedInputs } from './estimate-samples.ts';
import { keepsThinking, weightOfBlock, weightOfText, weightsOf } from './estimate-weights.ts';

/** Tokens of parts of a session, as its own recorded usage suggests. */
export interface TokenModel {
  /** What every request has besides its messages: system prompt, tools. */
  fixed: number;
  /** Tokens for each token of the default weights: 1 where nothing is known of the session. */
  scale: number;
  /** What the last requests had besides: sent, but not recorded. */
  unrecorded: number;
  /** Number of recorded inputs that it was calibrated on; 0: defaults only. */
  samples: number;
  /** Whether thinking from before the last prompt is still sent. */
  keepsThinking: boolean;
  ofText(text: string): number;
  /** Tokens of one block of a message as it is sent. Thinking in full, also where the API would leave it out: see draft.ts. */
  ofBlock(block: Block): number;
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
    ? { fixed, scale, unrecorded: 0 }
    : undefined;
}

function tokenModel({ fixed, scale, unrecorded }: Line, model: string | null, samples: number): TokenModel {
  const weights = weightsOf(model);
  return {
    fixed,
    scale,
    unrecorded,
    samples,
    keepsThinking: keepsThinking(model),
    ofText: (text) => scale * weightOfText(text, weights),
    ofBlock: (block) => scale * weightOfBlock(block, weights),
  };
}
