// Where the agents' histories lie, without what reads them: loading that takes longer than to see that nothing has changed.

import { claudeCodePlace } from './claude-code/place.ts';
import { codexPlace } from './codex/place.ts';
import { geminiPlace } from './gemini/place.ts';
import type { AgentPlace } from './source.ts';

export const agentPlaces: AgentPlace[] = [claudeCodePlace, codexPlace, geminiPlace];
