import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { gemini } from './gemini/index.ts';
import type { Source } from './source.ts';

export const sources: Source[] = [claudeCode, codex, gemini];
