// How much of each turn a summary tells.

export interface Level {
  /** Sentences of replies per turn, and what each must score: one that scores less says nothing by itself. */
  perTurn: number;
  least: number;
  /** Characters quoted of a prompt, of what came of it, and of a sentence of a reply. */
  prompt: number;
  outcome: number;
  sentence: number;
  /** Whether things are told in their long form, and commands too that went well and are no test, build or commit. */
  details: boolean;
}

export const LEVELS: Record<'full' | 'brief', Level> = {
  full: { perTurn: 24, least: 0, prompt: 1500, outcome: 320, sentence: 420, details: true },
  brief: { perTurn: 4, least: 4, prompt: 300, outcome: 140, sentence: 220, details: false },
};
