// The session page before there is a session, and where there is none.

import type { ShownMessage } from '../../api.ts';
import { leftList } from '../list/left-list.ts';
import { MessageView } from './message.tsx';

export function Trouble({ message }: { message: string }) {
  return (
    <main class="state">
      <h1>This session cannot be shown</h1>
      <p>{message}</p>
      <a href={leftList.address}>Back to the sessions</a>
    </main>
  );
}

/** What is wrong while there is a session to be seen. */
export function Banner({ message }: { message: string | null }) {
  return message === null ? null : (
    <p class="banner trouble" role="alert">
      {message}
    </p>
  );
}

interface LoadingProps {
  session: string;
  first: ShownMessage[];
  opened: ReadonlySet<string>;
  toggle: (name: string) => void;
}

/** Something to look at, and to read, while a large session is opened. */
export function Loading({ session, first, opened, toggle }: LoadingProps) {
  if (first.length === 0)
    return (
      <main class="state" aria-busy="true">
        <p role="status">Opening …</p>
        <div class="loading-lines" aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </div>
      </main>
    );
  return (
    <div class="session-page" aria-busy="true">
      <header class="session-head">
        <a class="back" href={leftList.address} aria-label="Back to the sessions">
          ‹ <span>Sessions</span>
        </a>
        <div class="session-title">
          <h1>{session}</h1>
          <p class="faint" role="status">
            This is a large session: the rest of it is being read …
          </p>
        </div>
      </header>
      <div class="session-body">
        <main class="transcript beginning">
          {first.map((message) => (
            <div class="item" key={message.index}>
              <div class="message seen">
                <MessageView
                  message={message}
                  session={session}
                  cleared={null}
                  opened={opened}
                  open={toggle}
                  wholeText={() => {}}
                />
              </div>
            </div>
          ))}
        </main>
        <div class="timeline" />
      </div>
    </div>
  );
}
