// A subagent's session inside the call that started it.

import { useEffect, useState } from 'preact/hooks';
import type { ShownMessage } from '../../api.ts';
import { messages, open } from '../ask.ts';
import { MessageView } from './message.tsx';

const FIRST = 40;

export function Nested({ session, within }: { session: string; within: string }) {
  const [shown, setShown] = useState<{ messages: ShownMessage[]; all: number } | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const load = async (count: number) => {
    const [{ messages: all }, answer] = await Promise.all([open(session), messages(session, 0, count - 1)]);
    setShown({ messages: answer.messages, all });
  };
  useEffect(() => {
    load(FIRST).catch((error: Error) => setTrouble(error.message));
  }, [session]);
  if (trouble !== null) return <p class="hint">{trouble}</p>;
  if (shown === null || session === within) return <p class="hint">Opening the subagent …</p>;
  return (
    <section class="nested" aria-label="Subagent">
      {shown.messages.map((message) => (
        <MessageView
          key={message.index}
          message={message}
          session={session}
          opened={opened}
          open={(name) => setOpened(toggled(opened, name))}
          wholeText={() => {}}
        />
      ))}
      {shown.messages.length < shown.all && (
        <button type="button" class="link" onClick={() => void load(shown.messages.length + 160)}>
          Show more of {shown.all} messages
        </button>
      )}
    </section>
  );
}

function toggled(set: ReadonlySet<string>, name: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(name)) next.add(name);
  return next;
}
