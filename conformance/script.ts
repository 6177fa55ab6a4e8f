// What the model says, told by the scenario: a list of replies for each prompt. The servers have no other state, so a client
// may ask again, or ask for other things in between.

/** One answer of the model. */
export interface Reply {
  thinking?: string;
  text?: string;
  calls?: { name: string; input: Record<string, unknown> | string }[];
  /** Tokens that the answer says were read: a large number makes the client compact. */
  inputTokens?: number;
  /** Milliseconds before the first byte. */
  wait?: number;
  /** Milliseconds after each word of the text. */
  pause?: number;
  error?: { status: number; type: string; message: string };
}

/** Replies by prompt, each list in order. */
export type Script = Record<string, Reply[]>;

/** One thing in a request, in the order sent. */
export interface Said {
  by: 'user' | 'assistant' | 'result';
  text: string;
}

/** What the model says where the script has nothing. */
const DEFAULT_ANSWER = 'Conformance answer.';

/**
 * The reply whose turn it is: that of the newest scripted prompt, by the number of tool results behind it. Clients merge prompts
 * that were not answered into one message: the last one in it counts.
 */
export function replyTo(said: readonly Said[], script: Script): Reply {
  for (let at = said.length - 1; at >= 0; at--) {
    const one = said[at];
    if (one?.by !== 'user') continue;
    const prompt = lastPromptIn(one.text, Object.keys(script));
    if (prompt === undefined) continue;
    const results = said.slice(at + 1).filter(({ by }) => by === 'result').length;
    return replyAfter(script[prompt] ?? [], results);
  }
  return { text: DEFAULT_ANSWER };
}

function lastPromptIn(text: string, prompts: string[]): string | undefined {
  return prompts
    .map((prompt) => ({ prompt, at: text.lastIndexOf(prompt) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => b.at - a.at || b.prompt.length - a.prompt.length)[0]?.prompt;
}

function replyAfter(replies: Reply[], results: number): Reply {
  let calls = 0;
  for (const reply of replies) {
    if (calls >= results) return reply;
    calls += reply.calls?.length ?? 0;
  }
  return { text: DEFAULT_ANSWER };
}
