import type { Store } from '../store/open.ts';
import type { MessageTexts } from './message-texts.ts';

/** The texts of messages, by what the store knows of them. What reads histories is loaded only now. */
export async function openTexts({ main }: Store, kept: string | undefined): Promise<MessageTexts> {
  const { messageTexts } = await import('./message-texts.ts');
  return messageTexts(main, kept);
}
