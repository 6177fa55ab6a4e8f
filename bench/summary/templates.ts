// What a template of a planted fact is. The sets lie in files of their own: the cue words were tuned on
// `templates-tuned.ts` alone; `templates-held-out.ts` was written before the summariser by the same hand and
// only measured (its totals, not its misses); `templates-fresh.ts` was written when the cue words were finished.

/** A sentence (or a few) in which a fact is said; `{…}` are filled from the values of its kind. */
export interface Said {
  by: 'person' | 'agent';
  text: string;
  /** What must be found in the summary, all of it. */
  keys: string[];
}

/** A tool call that changes a file, in the shape of some agent's tool. */
export interface EditShape {
  name: string;
  input: (path: string, line: string) => EditInput;
}

type EditInput = string | Record<string, unknown>;

/** Output of a test run in which one test fails; `{test}` is its name. */
export interface FailingRun {
  command: string;
  output: string;
  /** Shells that end in `| tail` and the like report success although the tests failed. */
  exit_code: number;
}

/** A call that the person refused, with the reason; `{target}` is a path or a command. */
export interface Refused {
  tool: string;
  target: 'path' | 'command';
  reason: string;
  keys: string[];
}

/** A task that was left: said, or in a list of tasks. */
export type LeftTask = Said | { tool: string; input: (task: string) => Record<string, unknown> };

export interface Templates {
  decision: Said[];
  path: EditShape[];
  test: FailingRun[];
  refusal: Refused[];
  question: Said[];
  constraint: Said[];
  cause: Said[];
  library: Said[];
  todo: LeftTask[];
  command: Said[];
}

export type FactKind = keyof Templates;
