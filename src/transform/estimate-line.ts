// A line through the recorded inputs of a session: fixed + scale × weight.

import type { Sample } from './estimate-samples.ts';

export interface Line {
  /** What every request has besides its messages. */
  fixed: number;
  scale: number;
  /** What the last requests had besides that: no history says what it was. */
  unrecorded: number;
}

// The middle of the wild sessions. Eight in ten lie between 16,600 and 42,000, so nothing but usage can tell it well.
const DEFAULT: Line = { fixed: 26_500, scale: 1, unrecorded: 0 };

// The weights are good already: eight in ten wild sessions ask for a scale between 0.96 and 1.07. So a session
// has to show much before it moves, and what lies beyond these bounds comes of something else that
// changed (a resume that lost messages, something unrecorded after a compaction).
const SCALE_SPREAD = 0.1;
const SCALE_BOUNDS = [0.8, 1.25] as const;

// Residuals within this many tokens count fully, larger ones ever less: reminders and attached files that old clients sent
// but did not record come as steps of hundreds to thousands of tokens.
const NOISE = 1500;

// An input counts e times less than one thirty later. Tool servers come and go, and with them the fixed part.
const MEMORY = 30;

const ROUNDS = 12;

/** The line that lies nearest to the samples, given in the order recorded. */
export function lineThrough(samples: readonly Sample[]): Line {
  const [first] = samples;
  if (first === undefined) return DEFAULT;
  let line = { fixed: Math.max(0, first.tokens - first.weight), scale: 1 };
  for (let round = 0; round < ROUNDS; round++) line = refined(line, samples);
  return bounded(line, samples);
}

type Fit = Pick<Line, 'fixed' | 'scale'>;

// An input of which messages are more than this share says little about the rest. One that is less than this share of what each
// should have, and of those beside it, was not recorded whole.
const HALF = 0.5;

// So much more than the smallest input allows tells of nothing: the sizes of its messages are estimates.
const TOLERANCE = 1.02;

/**
 * No request has less than what every one has: the smallest of them, less the least that its messages can have, is the most that can be.
 * What later ones had beyond it (files that a client attaches anew after a compaction, tools that came) is in those, not in all.
 */
function bounded({ fixed, scale }: Fit, samples: readonly Sample[]): Line {
  const [leastScale] = SCALE_BOUNDS;
  const telling = samples.filter(({ tokens, weight }, i) => {
    const beside = Math.min(fixed, samples[i - 1]?.tokens ?? fixed, samples[i + 1]?.tokens ?? fixed);
    return weight <= tokens * HALF && tokens >= beside * HALF;
  });
  const smallest = telling.toSorted((a, b) => a.tokens - b.tokens)[0];
  const most = smallest === undefined ? fixed : smallest.tokens - leastScale * smallest.weight;
  return fixed <= most * TOLERANCE ? { fixed, scale, unrecorded: 0 } : { fixed: most, scale, unrecorded: fixed - most };
}

/** One step of least squares in which samples far from the line so far count less. */
function refined(line: Fit, samples: readonly Sample[]): Fit {
  const trust = samples.map((sample, i) => trustIn(sample, line) * Math.exp((i + 1 - samples.length) / MEMORY));
  const meanWeight = mean(samples, trust, ({ weight }) => weight);
  const meanTokens = mean(samples, trust, ({ tokens }) => tokens);
  let spread = (NOISE / SCALE_SPREAD) ** 2;
  let beyond = 0;
  samples.forEach(({ weight, tokens }, i) => {
    const aside = weight - meanWeight;
    spread += (trust[i] ?? 0) * aside ** 2;
    beyond += (trust[i] ?? 0) * aside * (tokens - meanTokens - aside);
  });
  const [least, most] = SCALE_BOUNDS;
  const scale = Math.min(most, Math.max(least, 1 + beyond / spread));
  return { scale, fixed: Math.max(0, meanTokens - scale * meanWeight) };
}

function trustIn({ weight, tokens }: Sample, { fixed, scale }: Fit): number {
  return NOISE / Math.max(NOISE, Math.abs(tokens - fixed - scale * weight));
}

function mean(samples: readonly Sample[], trust: readonly number[], of: (sample: Sample) => number): number {
  let sum = 0;
  let all = 0;
  samples.forEach((sample, i) => {
    sum += (trust[i] ?? 0) * of(sample);
    all += trust[i] ?? 0;
  });
  return sum / all;
}
