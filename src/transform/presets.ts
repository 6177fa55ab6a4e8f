// What people commonly want, by names that say it.

import type { CloneOptions } from './plan.ts';

export interface Preset {
  about: string;
  options: CloneOptions;
}

export const PRESETS = {
  lighter: {
    about:
      'images and copies out; long inputs and outputs of tools older than the last 5 turns cut to their head and tail',
    options: { stripImages: true, stripTools: 'outputs', keepLast: 5 },
  },
  conversation: {
    about: 'only what you and the agent said: no tool calls, no thinking, no images',
    options: { stripImages: true, stripTools: 'all', stripThinking: true },
  },
  recap: {
    about: 'a summary of everything but the last 5 turns',
    options: { compress: 'full', keepLast: 5 },
  },
  unbrick: {
    about: 'all thinking out, broken pairs and oversized images out: for a session that the server refuses',
    options: { stripThinking: true, mend: true },
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;
