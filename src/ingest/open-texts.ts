import { AGENTS, type AgentName } from '../schema/words.ts';
import { loadSources } from '../sources/load.ts';
import type { Store } from '../store/open.ts';
import type { MessageTexts } from './message-texts.ts';

/** The texts of messages of these agents, by what the store knows of them. What reads histories is loaded only now. */
export async function openTexts(
  { main }: Store,
  kept: string | undefined,
  agents: Iterable<AgentName> = AGENTS,
): Promise<MessageTexts> {
  const [{ messageTexts }, sourceOf] = await Promise.all([import('./message-texts.ts'), loadSources(agents)]);
  return messageTexts(main, kept, sourceOf);
}
