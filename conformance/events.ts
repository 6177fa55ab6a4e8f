// Events made with the real clients, and read again: what was done must be what is told.

import type { InstalledClient } from './clients.ts';
import { claudeCodeEvents } from './events-claude-code.ts';
import { claudeCodeTerminalEvents } from './events-claude-code-terminal.ts';
import { codexEvents } from './events-codex.ts';
import { geminiEvents } from './events-gemini.ts';
import type { Scenario } from './scenario.ts';
import { type EventScenario, eventScenario } from './stage.ts';

const EVENTS: Record<InstalledClient['agent'], EventScenario[]> = {
  'claude-code': [...claudeCodeEvents, ...claudeCodeTerminalEvents],
  codex: codexEvents,
  gemini: geminiEvents,
};

export function eventScenarios(client: InstalledClient): Scenario[] {
  return EVENTS[client.agent]
    .filter(({ versions }) => client.version.startsWith(versions ?? ''))
    .map((scenario) => eventScenario(client, scenario));
}
