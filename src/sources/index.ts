import { claudeCode } from './claude-code/index.ts';
import type { Source } from './source.ts';

/** The agents that are read, in the order in which exports list them. */
export const sources: readonly Source[] = [claudeCode];
