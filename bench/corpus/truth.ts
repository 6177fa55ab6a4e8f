/** What is known of a generated home, so that a check from outside can compare. Written as TRUTH.json beside the home. */
export interface Truth {
  seed: number;
  /** Transcripts only: every .jsonl file under projects/. */
  files: number;
  bytes: number;
  /** Pieces between newlines: a torn last line counts, a blank line counts, two rows glued together are one. */
  lines: number;
  /** What lies beside the transcripts: history.jsonl and the .meta.json files. */
  companions: { files: number; bytes: number };
  sessions: {
    /** All main sessions, forks and bare clears among them; `main` and `subagents` sum to `files`. */
    main: number;
    subagents: number;
    forks: number;
    /** Main sessions that hold only the rows of the /clear that opened them. */
    bare_clears: number;
    /** Subagent files with the single junk row "Warmup" (2.0.42). Counted in `subagents` too. */
    warmups: number;
    /** Subagents written inside the parent's file (1.0.100). Not counted in `subagents`. */
    inline_sidechains: number;
  };
  /** Acts, not rows; what a fork copied is not counted again. */
  events: Record<EventKind, number>;
  /** The same events by kind and manner, as in "interruption/mid-text". */
  event_variants: Record<string, number>;
  bad_lines: Record<BadLine, number>;
  /** Each distinct message.id once, by the last row that has it; `<synthetic>` rows are no API messages. */
  usage: Usage & { messages: number; by_model: Record<string, Usage> };
  needles: Needle[];
}

export type EventKind = 'compactions' | 'clears' | 'interruptions' | 'rejections' | 'rewinds' | 'denials' | 'failures';
export type BadLine = 'torn' | 'glued' | 'blank' | 'invalid_utf8';

export interface Usage {
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_5m_tokens: number;
  cache_write_1h_tokens: number;
  output_tokens: number;
}

/** A word that occurs in one session only. */
export interface Needle {
  word: string;
  session_id: string;
  where: 'prompt' | 'reply' | 'thinking' | 'tool_output';
}

export function emptyTruth(seed: number): Truth {
  return {
    seed,
    files: 0,
    bytes: 0,
    lines: 0,
    companions: { files: 0, bytes: 0 },
    sessions: { main: 0, subagents: 0, forks: 0, bare_clears: 0, warmups: 0, inline_sidechains: 0 },
    events: { compactions: 0, clears: 0, interruptions: 0, rejections: 0, rewinds: 0, denials: 0, failures: 0 },
    event_variants: {},
    bad_lines: { torn: 0, glued: 0, blank: 0, invalid_utf8: 0 },
    usage: { ...noUsage(), messages: 0, by_model: {} },
    needles: [],
  };
}

export function countEvent(truth: Truth, kind: EventKind, manner: string): void {
  truth.events[kind]++;
  const variant = `${kind.slice(0, -1)}/${manner}`;
  truth.event_variants[variant] = (truth.event_variants[variant] ?? 0) + 1;
}

/** Call it once per API message, with the usage of the last row written for it. */
export function countUsage(truth: Truth, model: string, usage: Usage): void {
  truth.usage.messages++;
  truth.usage.by_model[model] ??= noUsage();
  for (const total of [truth.usage, truth.usage.by_model[model]]) {
    total.input_tokens += usage.input_tokens;
    total.cache_read_tokens += usage.cache_read_tokens;
    total.cache_write_5m_tokens += usage.cache_write_5m_tokens;
    total.cache_write_1h_tokens += usage.cache_write_1h_tokens;
    total.output_tokens += usage.output_tokens;
  }
}

function noUsage(): Usage {
  return {
    input_tokens: 0,
    cache_read_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
  };
}
