// One message: who, when, and its blocks.

import type { ShownMessage } from '../../api.ts';
import { clock, dayAndTime } from '../parts/measures.ts';
import { BlockView } from './blocks.tsx';
import { firstWords } from './first-words.ts';

export interface MessageProps {
  message: ShownMessage;
  session: string;
  /** Events that had taken content out of it at the layer that is looked at; null where all are: then whatever did so counts. */
  cleared: readonly string[] | null;
  /** `index/block` of what is open. */
  opened: ReadonlySet<string>;
  open: (name: string) => void;
  wholeText: (index: number) => void;
}

const WHO: Record<string, string> = {
  prompt: 'You',
  summary: 'Summary, in place of what was said before',
};

/** What is no part of the talk is one line, until somebody opens it. */
const FOLDED: Record<string, string> = {
  meta: 'told by the client',
  notice: 'shown to you only',
  command: 'command',
  interruption: 'marker',
};

export function MessageView({ message, session, cleared, opened, open, wholeText }: MessageProps) {
  const { kind, index } = message;
  const name = `${index}/all`;
  const label = FOLDED[kind];
  const isOpen = label === undefined || opened.has(name);
  const who = WHO[kind];
  return (
    <div class={`said ${kind}`}>
      {who !== undefined && (
        <p class="who">
          {kind === 'prompt' && (
            <span class="pilcrow" aria-hidden="true">
              ¶
            </span>
          )}
          <span>{message.inherited === null ? who : `${who} (from the session that this one was forked from)`}</span>
          <time dateTime={message.timestamp ?? ''} title={dayAndTime(message.timestamp)}>
            {clock(message.timestamp)}
          </time>
        </p>
      )}
      {label !== undefined && (
        <button type="button" class="fold-line folded-message" aria-expanded={isOpen} onClick={() => open(name)}>
          <span class="fold-sign" aria-hidden="true">
            {isOpen ? '▾' : '▸'}
          </span>
          <span class="folded-label">{label}</span>
          <span class="one-line">{firstWords(message)}</span>
        </button>
      )}
      {isOpen &&
        message.blocks.map((shown, i) => (
          <BlockView
            key={i}
            shown={shown}
            session={session}
            index={index}
            kind={kind}
            isCleared={isCleared(shown.block, cleared)}
            isOpen={opened.has(`${index}/${i}`) !== (label !== undefined)}
            toggle={() => open(`${index}/${i}`)}
            wholeText={() => wholeText(index)}
          />
        ))}
    </div>
  );
}

function isCleared({ cleared_by }: ShownMessage['blocks'][number]['block'], cleared: MessageProps['cleared']): boolean {
  return cleared_by !== null && (cleared === null || cleared.includes(cleared_by));
}
