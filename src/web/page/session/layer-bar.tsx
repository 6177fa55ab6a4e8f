// The slider through the layers: what the model saw at a message, and what of it had left.

import { counted, tokens } from '../parts/measures.ts';
import { compared, leftWords } from './layer-words.ts';
import type { SessionModel } from './model.ts';

export interface Layers {
  /** Null: everything is shown. */
  at: number | null;
  isHiding: boolean;
  /** A point to compare with. */
  pinned: number | null;
}

interface LayerBarProps {
  model: SessionModel;
  layers: Layers & { at: number };
  move: (at: number) => void;
  step: (by: -1 | 1) => void;
  hide: () => void;
  pin: () => void;
  leave: () => void;
}

export function LayerBar({ model, layers: { at, isHiding, pinned }, move, step, hide, pin, leave }: LayerBarProps) {
  const { order } = model.context(at);
  const window = model.windowAt(at);
  const size = model.answer.context[at] ?? 0;
  const isTold = model.answer.context_recorded[at] === '1';
  return (
    <section class="layer-bar" aria-label="Layers">
      <div class="layer-line">
        <button
          type="button"
          class="quiet"
          onClick={() => step(-1)}
          aria-label="The layer before"
          disabled={window === 0 && at === 0}
        >
          ◂
        </button>
        <input
          type="range"
          min={0}
          max={Math.max(0, model.count - 1)}
          value={at}
          aria-label="As the model saw it at message"
          aria-valuetext={`message ${at}: ${order.length} messages`}
          onInput={(event) => move(Number(event.currentTarget.value))}
        />
        <button
          type="button"
          class="quiet"
          onClick={() => step(1)}
          aria-label="The layer after"
          disabled={at >= model.count - 1}
        >
          ▸
        </button>
      </div>
      <p class="layer-told" role="status">
        <strong>
          Layer {window + 1} of {model.answer.windows.length}
        </strong>{' '}
        · At message {at} the model had <strong>{counted(order.length, 'message')}</strong> before it,{' '}
        {isTold ? '' : 'about '}
        {tokens(size)} tokens. {leftWords(model, at)}
        {pinned !== null && <> {compared(model, pinned, at)}</>}
      </p>
      <div class="layer-buttons">
        <button type="button" class="quiet" aria-pressed={isHiding} onClick={hide}>
          {isHiding ? 'Dim what had left' : 'Hide what had left'}
        </button>
        <button type="button" class="quiet" aria-pressed={pinned !== null} onClick={pin}>
          {pinned === null ? 'Compare with this point' : `Stop comparing with ${pinned}`}
        </button>
        <button type="button" class="quiet" onClick={leave}>
          All layers
        </button>
      </div>
    </section>
  );
}
