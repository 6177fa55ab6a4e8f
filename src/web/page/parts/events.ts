// How each kind of event looks: a letter form and a name, beside its colour, so that nobody needs the colour.

import { EVENT_KINDS, type EventKind } from '../../../schema/words.ts';
import type { SessionEvent } from '../../api.ts';
import { visible } from './visible.ts';

export const GLYPHS: Record<EventKind, string> = {
  compaction: '⇊',
  clear: '○',
  interruption: '■',
  rejection: '✕',
  rewind: '↶',
  denial: '⊘',
  failure: '!',
};

export const NAMES: Record<EventKind, [one: string, many: string]> = {
  compaction: ['compaction', 'compactions'],
  clear: ['clear', 'clears'],
  interruption: ['interruption', 'interruptions'],
  rejection: ['rejection', 'rejections'],
  rewind: ['rewind', 'rewinds'],
  denial: ['denial', 'denials'],
  failure: ['failure', 'failures'],
};

/** What it means, for those who have not met it. */
export const MEANINGS: Record<EventKind, string> = {
  compaction: 'what was said was replaced by a summary',
  clear: 'the context was emptied, and a new session begun',
  interruption: 'a reply or a tool was stopped',
  rejection: 'you said no to what it wanted to do',
  rewind: 'it was taken back to an earlier point',
  denial: 'a rule, a mode or a sandbox said no',
  failure: 'the model could not be reached, or did not answer',
};

/** What happened, behind the name of its kind. */
export function wordsOf({ kind, line }: Pick<SessionEvent, 'kind' | 'line'>): string {
  return visible(line.toLowerCase().startsWith(kind) ? line.slice(kind.length).replace(/^[\s:,]+/, '') : line);
}

export { EVENT_KINDS, type EventKind };
