// What stands above a session: what it is, and what can be shown of it.

import { leftList } from '../list/left-list.ts';
import { counted, dayAndTime, shortPath, size, tokens } from '../parts/measures.ts';
import { visible } from '../parts/visible.ts';
import type { SessionModel } from './model.ts';

export type PanelName = 'events' | 'thread' | 'raw' | 'remarks';

interface SessionHeadProps {
  model: SessionModel;
  isLayered: boolean;
  panel: PanelName | null;
  isFinding: boolean;
  toggleLayers: () => void;
  togglePanel: (name: PanelName) => void;
  find: () => void;
  help: () => void;
}

export function SessionHead(props: SessionHeadProps) {
  const { model, isLayered, panel, isFinding, toggleLayers, togglePanel, find, help } = props;
  const { answer } = model;
  return (
    <header class="session-head">
      <a class="back" href={leftList.address} aria-label="Back to the sessions">
        ‹ <span>Sessions</span>
      </a>
      <div class="session-title">
        <h1>{visible(answer.session.title ?? answer.session.id)}</h1>
        <p class="faint">
          {answer.session.agent.replace('-', ' ')} · {visible(shortPath(answer.session.project))} ·{' '}
          {dayAndTime(answer.session.started_at)} · {counted(model.count, 'message')} ·{' '}
          {size(answer.session.source.files.reduce((sum, { bytes }) => sum + bytes, 0))} ·{' '}
          {tokens(answer.session.usage.output_tokens)} tokens written
          {answer.diagnostics.length > 0 && (
            <>
              {' · '}
              <button type="button" class="link" onClick={() => togglePanel('remarks')}>
                {counted(answer.diagnostics.length, 'remark')}
              </button>
            </>
          )}
        </p>
      </div>
      <nav class="tools" aria-label="Views">
        <button
          type="button"
          class="quiet"
          aria-pressed={isLayered}
          disabled={model.count === 0}
          onClick={toggleLayers}
        >
          Layers <kbd>l</kbd>
        </button>
        <button type="button" class="quiet" aria-pressed={panel === 'events'} onClick={() => togglePanel('events')}>
          Events <span class="number">{answer.events.length}</span> <kbd>e</kbd>
        </button>
        <button type="button" class="quiet" aria-pressed={panel === 'thread'} onClick={() => togglePanel('thread')}>
          Thread <kbd>t</kbd>
        </button>
        <button type="button" class="quiet" aria-pressed={isFinding} onClick={find}>
          Find <kbd>/</kbd>
        </button>
        <button type="button" class="quiet" onClick={help} aria-label="Keys">
          ?
        </button>
      </nav>
    </header>
  );
}
