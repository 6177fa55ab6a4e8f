// An event where it happened: one line, and what there is to see when it is opened.

import type { SessionEvent } from '../../api.ts';
import { Diff } from '../parts/diff.tsx';
import { GLYPHS, NAMES, wordsOf } from '../parts/events.ts';
import { Markdown } from '../parts/markdown.tsx';
import { counted, dayAndTime } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';

interface EventProps {
  told: SessionEvent;
  isOpen: boolean;
  toggle: () => void;
  goTo: (message: number) => void;
  /** One line of a message; undefined until it is known. */
  lineOf: (message: number) => string | undefined;
  address: string;
}

export function EventRow({ told, isOpen, toggle, goTo, lineOf, address }: EventProps) {
  const { kind, event } = told;
  return (
    <div class={`event ${kind}`}>
      <button type="button" class="event-line" aria-expanded={isOpen} onClick={toggle}>
        <span class="event-glyph" aria-hidden="true">
          {GLYPHS[kind]}
        </span>
        <span class="event-name">{NAMES[kind][0]}</span>
        <span class="event-words">{wordsOf(told)}</span>
        {event.confidence !== 'high' && (
          <span class="faint">{event.confidence === 'medium' ? 'likely' : 'a guess'}</span>
        )}
      </button>
      {isOpen && (
        <div class="event-body">
          <Details told={told} goTo={goTo} lineOf={lineOf} address={address} />
          <p class="hint">
            {dayAndTime(told.timestamp)} · known because {BASES[event.basis]}
            {event.could_be !== null &&
              `; it could also be ${event.could_be === 'none' ? 'nothing' : `a ${event.could_be}`}`}{' '}
            · {event.evidence.map(({ line }) => `line ${line}`).join(', ')}
          </p>
        </div>
      )}
    </div>
  );
}

const BASES: Record<string, string> = {
  recorded: 'the agent recorded it',
  phrase: 'the agent wrote a fixed sentence for it',
  inferred: 'it follows from what is around it',
};

type DetailsProps = Pick<EventProps, 'told' | 'goTo' | 'lineOf' | 'address'>;

function Details({ told: { event }, goTo, lineOf, address }: DetailsProps) {
  if ('replaced_message_indices' in event)
    return (
      <div class="beside">
        <section aria-label="What was there">
          <h3>What was there: {counted(event.replaced_message_indices.length, 'message')}</h3>
          <ol class="lines">
            {event.replaced_message_indices.slice(0, 300).map((index) => (
              <li key={index}>
                <button type="button" class="link" onClick={() => goTo(index)}>
                  {index}
                </button>{' '}
                {lineOf(index) ?? '…'}
              </li>
            ))}
            {event.replaced_message_indices.length > 300 && (
              <li>… and {event.replaced_message_indices.length - 300} more</li>
            )}
          </ol>
          {event.kept_message_indices.length > 0 && (
            <p class="hint">{counted(event.kept_message_indices.length, 'message')} stayed as they were.</p>
          )}
        </section>
        <section aria-label="What took its place">
          <h3>What took its place</h3>
          {event.summary === null ? (
            <p class="hint">
              {event.summary_source === 'encrypted'
                ? 'A summary that only the model’s maker can read.'
                : 'No summary was recorded.'}
            </p>
          ) : (
            <div class="summary-text">
              <Markdown text={event.summary} />
            </div>
          )}
        </section>
      </div>
    );
  if ('rejection_type' in event || 'denied_by' in event)
    return (
      <>
        {'reason' in event && event.reason !== null && (
          <blockquote class="reason">
            {visible(event.reason)}
            {event.reason_source === 'next-prompt' && <footer class="hint">from what was typed next</footer>}
          </blockquote>
        )}
        {'message' in event && event.message !== null && <p>{visible(event.message)}</p>}
        {event.action?.diff ? (
          <Diff diff={event.action.diff} />
        ) : (
          event.action != null && <pre class="plain-text">{visible(JSON.stringify(event.action.input, null, 2))}</pre>
        )}
      </>
    );
  if ('partial_output' in event)
    return event.partial_output === null ? null : <pre class="plain-text">{visible(event.partial_output)}</pre>;
  if ('next_session_id' in event)
    return event.next_session_id === null ? null : (
      <p>
        It goes on in <a href={address}>{visible(event.next_session_id)}</a>.
      </p>
    );
  if ('removed_message_indices' in event)
    return (
      <p>
        {counted(event.removed_message_indices.length, 'message')} were taken back
        {event.to_message_index !== null && (
          <>
            , to{' '}
            <button type="button" class="link" onClick={() => goTo(event.to_message_index ?? 0)}>
              message {event.to_message_index}
            </button>
          </>
        )}
        .
      </p>
    );
  return 'cause' in event && event.message !== null ? <p>{visible(event.message)}</p> : null;
}
