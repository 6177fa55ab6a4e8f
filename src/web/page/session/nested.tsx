// A subagent's session inside the call that started it.

import { useEffect, useState } from 'preact/hooks';
import type { ShownMessage } from '../../api.ts';
import { messages, open, whole } from '../ask.ts';
import { toggled } from '../parts/toggled.ts';
import { MessageView } from './message.tsx';

const [FIRST, NEXT] = [40, 160];

export function Nested({ session, within }: { session: string; within: string }) {
  const [shown, setShown] = useState<{ messages: ShownMessage[]; all: number } | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const load = async (before: readonly ShownMessage[], count: number) => {
    const from = before.length;
    const [{ messages: all }, answer] = await Promise.all([open(session), messages(session, from, from + count - 1)]);
    setShown({ messages: [...before, ...answer.messages], all });
  };
  const tryTo = (work: Promise<void>) => {
    work.catch((error: Error) => setTrouble(error.message));
  };
  const wholeText = async (index: number) => {
    const [message] = (await whole(session, index)).messages;
    if (message !== undefined)
      setShown(
        (before) =>
          before && { ...before, messages: before.messages.map((one) => (one.index === index ? message : one)) },
      );
  };
  useEffect(() => {
    tryTo(load([], FIRST));
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
          cleared={null}
          opened={opened}
          open={(name) => setOpened(toggled(opened, name))}
          wholeText={(index) => tryTo(wholeText(index))}
        />
      ))}
      {shown.messages.length < shown.all && (
        <button type="button" class="link" onClick={() => tryTo(load(shown.messages, NEXT))}>
          Show more of {shown.all} messages
        </button>
      )}
    </section>
  );
}
