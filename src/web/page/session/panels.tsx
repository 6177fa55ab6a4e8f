// What stands beside the transcript: what happened, the thread, a record as it is in its file.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RawAnswer, ThreadAnswer, ThreadNode } from '../../api.ts';
import { sessionAddress } from '../address.ts';
import { raw, thread } from '../ask.ts';
import { Code } from '../parts/code.tsx';
import { EVENT_KINDS, type EventKind, GLYPHS, NAMES, wordsOf } from '../parts/events.ts';
import { clock, counted, dayAndTime, size } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';
import type { SessionModel } from './model.ts';

interface PanelProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

function Panel({ title, close, children }: PanelProps) {
  return (
    <aside class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={close} aria-label={`Close: ${title}`}>
          ✕
        </button>
      </header>
      <div class="panel-body">{children}</div>
    </aside>
  );
}

interface EventsProps {
  model: SessionModel;
  current: number | null;
  goToEvent: (event: number) => void;
  close: () => void;
}

export function EventsPanel({ model, current, goToEvent, close }: EventsProps) {
  const [only, setOnly] = useState<EventKind | null>(null);
  const { events } = model.answer;
  const kinds = EVENT_KINDS.filter((kind) => events.some((event) => event.kind === kind));
  return (
    <Panel title="What happened" close={close}>
      {events.length === 0 && <p class="empty">Nothing: no compaction, no interruption, no refusal.</p>}
      {kinds.length > 1 && (
        <fieldset class="chips">
          <legend class="unseen">Only one kind</legend>
          {kinds.map((kind) => (
            <button
              type="button"
              key={kind}
              class={`chip ${kind}`}
              aria-pressed={only === kind}
              onClick={() => setOnly(only === kind ? null : kind)}
            >
              {GLYPHS[kind]} {NAMES[kind][1]} {events.filter((event) => event.kind === kind).length}
            </button>
          ))}
        </fieldset>
      )}
      <ol class="event-list">
        {events.map(
          (event, number) =>
            (only === null || event.kind === only) && (
              <li key={event.id}>
                <button
                  type="button"
                  class={`event-item ${event.kind}`}
                  aria-current={number === current ? 'true' : undefined}
                  onClick={() => goToEvent(number)}
                >
                  <span class="event-glyph" aria-hidden="true">
                    {GLYPHS[event.kind]}
                  </span>
                  <span class="event-item-words">
                    <strong>{NAMES[event.kind][0]}</strong> <span>{wordsOf(event)}</span>
                  </span>
                  <span class="faint">{clock(event.timestamp)}</span>
                </button>
              </li>
            ),
        )}
      </ol>
    </Panel>
  );
}

const WAYS: Record<NonNullable<ThreadNode['by']>, string> = {
  clear: '○ cleared, went on in',
  fork: '⑂ forked into',
  clone: '⧉ cloned into',
  subagent: '↳ sent out',
};

interface ThreadProps {
  session: string;
  model: SessionModel;
  goToEvent: (event: number) => void;
  close: () => void;
}

export function ThreadPanel({ session, model, goToEvent, close }: ThreadProps) {
  const [answer, setAnswer] = useState<ThreadAnswer | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    thread(session)
      .then(setAnswer)
      .catch((error: Error) => setTrouble(error.message));
  }, [session]);
  const rewinds = model.answer.events.flatMap((event, number) => (event.kind === 'rewind' ? [{ event, number }] : []));
  const turnedBack = (
    <ul class="thread">
      {rewinds.map(({ event, number }) => (
        <li key={event.id} class="rewind">
          <span class="way">{GLYPHS.rewind} taken back here</span>
          <button type="button" class="link" onClick={() => goToEvent(number)}>
            {visible(event.line)}
          </button>
        </li>
      ))}
    </ul>
  );
  return (
    <Panel title="Thread" close={close}>
      {trouble !== null && <p class="hint">{trouble}</p>}
      {answer === null ? (
        <p class="hint">Looking …</p>
      ) : (
        <ThreadTree
          nodes={answer.nodes}
          session={session}
          from={null}
          within={rewinds.length > 0 ? turnedBack : null}
        />
      )}
      {answer?.nodes.length === 1 && rewinds.length === 0 && (
        <p class="hint">No clear, fork, clone, rewind or subagent is tied to this session.</p>
      )}
    </Panel>
  );
}

interface TreeProps {
  nodes: ThreadNode[];
  session: string;
  from: string | null;
  /** What happened inside the session that is looked at. */
  within: ComponentChildren;
}

/** Each session under the one that it came from. */
function ThreadTree({ nodes, session, from, within }: TreeProps) {
  const here = from === null ? nodes.slice(0, 1) : nodes.filter((node) => node.from === from);
  if (here.length === 0) return null;
  return (
    <ul class="thread">
      {here.map((node) => (
        <li key={node.key} class={node.by ?? 'first'}>
          {node.by !== null && <span class="way">{WAYS[node.by]}</span>}
          <a href={sessionAddress(node.key)} aria-current={node.key === session ? 'page' : undefined}>
            {visible(node.title ?? node.key)}
          </a>
          <span class="faint">
            {dayAndTime(node.started_at)} · {counted(node.messages, 'message')}
          </span>
          {node.key === session && within}
          {node.key !== from && <ThreadTree nodes={nodes} session={session} from={node.key} within={within} />}
        </li>
      ))}
    </ul>
  );
}

/** What could not be read, or is odd, and where. */
export function RemarksPanel({ model, close }: { model: SessionModel; close: () => void }) {
  return (
    <Panel title="Remarks" close={close}>
      <ul class="remarks">
        {model.answer.diagnostics.map(({ message }, i) => (
          <li key={i}>{visible(message)}</li>
        ))}
      </ul>
    </Panel>
  );
}

export function RawPanel({ session, index, close }: { session: string; index: number; close: () => void }) {
  const [answer, setAnswer] = useState<RawAnswer | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    setAnswer(null);
    raw(session, index)
      .then(setAnswer)
      .catch((error: Error) => setTrouble(error.message));
  }, [session, index]);
  return (
    <Panel title={`Message ${index} in its file`} close={close}>
      {trouble !== null && <p class="hint">{trouble}</p>}
      {answer?.rows.map((row, i) => (
        <section key={i} class="raw-row">
          <p class="raw-place">
            <code>{visible(row.file)}</code>, line {row.line} · {size(row.bytes)}
          </p>
          <Code text={visible(pretty(row.text))} language="json" />
          {row.cut > 0 && <p class="hint">{size(row.cut)} more in the file.</p>}
        </section>
      ))}
    </Panel>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
