// The sheet of keys.

import { useEffect, useRef, useState } from 'preact/hooks';
import { EVENT_KINDS, GLYPHS, MEANINGS, NAMES } from './events.ts';
import { isTyping, useKeyDown } from './keys.ts';

const KEYS = {
  list: [
    ['j  k', 'next, previous session'],
    ['Enter', 'open it'],
    ['/', 'search'],
    ['Esc', 'leave the search'],
  ],
  session: [
    ['j  k', 'next, previous message'],
    ['n  p', 'next, previous event'],
    ['u  y', 'next, previous prompt'],
    ['o  Enter', 'open or fold the message’s tools and thinking'],
    ['r', 'the message as it stands in its file'],
    ['l', 'layers: as the model saw it, at the message you are at'],
    ['[  ]', 'the layer before, the layer after'],
    [',  .', 'one message back, one on'],
    ['h', 'hide what had left, or only dim it'],
    ['c', 'compare with this point: what did it forget?'],
    ['e', 'what happened'],
    ['t', 'thread: clears, forks, clones, subagents'],
    ['/', 'find in this session'],
    ['g  G', 'beginning, end'],
    ['Esc', 'close, leave the layers'],
    ['b', 'back to the list'],
  ],
} as const;

export function useHelp() {
  const [isOpen, setOpen] = useState(false);
  useKeyDown((event) => {
    if (event.key === '?' && !isTyping(event)) setOpen((is) => !is);
    if (event.key === 'Escape') setOpen(false);
  });
  return { isOpen, toggle: () => setOpen((is) => !is) };
}

export function Help({ page, close }: { page: keyof typeof KEYS; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="help" ref={dialog} onClose={close} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS[page].map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>What happened</h2>
      <dl>
        {EVENT_KINDS.map((kind) => (
          <div key={kind}>
            <dt class={`event-count ${kind}`}>{GLYPHS[kind]}</dt>
            <dd>
              <strong>{NAMES[kind][0]}</strong>: {MEANINGS[kind]}
            </dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
