import { contextAt, indicesIn } from '../schema/context.ts';
import type { Compaction } from '../schema/events.ts';
import type { ContextWindow } from '../schema/session.ts';
import { eventBase, eventId, type Material, type SignalOf, signalsNamed, type TurnOf } from './material.ts';

/**
 * A compaction: the client replaced the context by a summary of it, or took parts of it out.
 *
 * What it replaced is what the model saw until then, less what was kept. A title is no
 * compaction, nor is an attempt that changed nothing.
 */
export function detectCompactions(material: Material, windows: ContextWindow[], turnOf: TurnOf): Compaction[] {
  return signalsNamed(material.outline, 'context-compacted').map((signal) => ({
    ...eventBase('compaction', signal, turnOf),
    after_message_index: signal.after_message_index,
    uuid: signal.uuid,
    timestamp: signal.timestamp,
    scope: signal.scope,
    trigger: signal.trigger,
    pre_tokens: signal.pre_tokens,
    post_tokens: signal.post_tokens,
    estimated: signal.estimated,
    instructions: signal.instructions,
    summary: summaryOf(material, signal),
    summary_source: signal.summary_source,
    summary_message_index: signal.summary_index,
    ...replacedBy(material, signal, windows),
  }));
}

function summaryOf(material: Material, signal: SignalOf<'context-compacted'>): string | null {
  if (signal.summary !== null || signal.summary_index === null) return signal.summary;
  const blocks = material.content(signal.summary_index);
  const text = blocks
    .map((block) => (block.type === 'text' && typeof block.text === 'string' ? block.text : ''))
    .join('\n');
  return text || null;
}

/** What the model saw until then, and of that, what it saw from then on: a result may come in when the rest is replaced already. */
function replacedBy(
  { outline }: Material,
  signal: SignalOf<'context-compacted'>,
  windows: ContextWindow[],
): Pick<Compaction, 'replaced_message_indices' | 'kept_message_indices'> {
  const window = windows.find((opened) => opened.event_id === eventId('compaction', signal.anchor));
  if (window === undefined) return { replaced_message_indices: [], kept_message_indices: signal.kept };
  const before = contextAt(windows.slice(0, window.index), outline.messages, window.opened_at_index - 1);
  const after = new Set([...signal.kept, ...indicesIn(window.start)]);
  const kept = new Set([...signal.kept, ...before.filter((index) => after.has(index))]);
  return {
    replaced_message_indices: before.filter((index) => !after.has(index)).sort((a, b) => a - b),
    kept_message_indices: [...kept].sort((a, b) => a - b),
  };
}
