// A message in the transcript: how the model saw it, and what it says.

import type { ShownMessage } from '../../api.ts';
import { sessionAddress } from '../address.ts';
import { Unchanged } from '../parts/unchanged.ts';
import { MessageView } from './message.tsx';
import type { SessionModel } from './model.ts';

interface MessageItemProps {
  model: SessionModel;
  session: string;
  index: number;
  /** Undefined until it is there. */
  shown: ShownMessage | undefined;
  /** Seen, left, forgot, learnt … */
  standing: string;
  /** The message at which a layer is looked at; null where all are. */
  at: number | null;
  isCurrent: boolean;
  isFound: boolean;
  opened: ReadonlySet<string>;
  toggle: (name: string) => void;
  wholeText: (index: number) => void;
}

export function MessageItem(props: MessageItemProps) {
  const { model, session, index, shown, standing, at, isCurrent, isFound, opened, toggle, wholeText } = props;
  const strata = model.strata(index);
  const cleared = at === null ? null : model.clearedBy(index, at);
  return (
    <div class={`message ${standing}${isCurrent ? ' current' : ''}${isFound ? ' found' : ''}`}>
      {strata.length > 0 && (
        <span class="strata" aria-hidden="true">
          {strata.map((isIn, i) => (
            <i key={i} class={isIn ? 'in' : ''} />
          ))}
        </span>
      )}
      {shown === undefined ? (
        <div class="said waiting" aria-hidden="true">
          <i />
          <i />
        </div>
      ) : (
        <Unchanged of={[shown, session, openedIn(opened, index), cleared?.join(' ')]}>
          {() => (
            <MessageView
              message={shown}
              session={session}
              cleared={cleared}
              opened={opened}
              open={toggle}
              wholeText={wholeText}
            />
          )}
        </Unchanged>
      )}
      {shown !== undefined && (
        <a class="permalink" href={sessionAddress(session, shown.id)} aria-label={`Link to message ${index}`}>
          {index}
        </a>
      )}
      {at !== null && <Removed model={model} index={index} at={at} />}
    </div>
  );
}

function Removed({ model, index, at }: { model: SessionModel; index: number; at: number }) {
  if (model.standing(index, at) !== 'left') return null;
  const event = model.removedBy(index, at);
  return <span class="left-note removed">{event === undefined ? 'had left' : `left by ${event.kind}`}</span>;
}

/** What is open in one message, as one word. */
function openedIn(opened: ReadonlySet<string>, index: number): string {
  if (opened.size === 0) return '';
  return [...opened].filter((name) => name.startsWith(`${index}/`)).join(' ');
}
