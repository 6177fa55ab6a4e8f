import type { Block } from '../schema/blocks.ts';
import type { EventBase } from '../schema/events.ts';
import type { Outline, Signal, ToolPurpose } from '../schema/outline.ts';
import type { EventKind } from '../schema/words.ts';

/** A change that a call asked for. */
export interface Change {
  diff: string | null;
  diff_base: 'file' | 'fragment' | 'unknown' | null;
}

/** What detectors work on: the outline, and ways to look up the little text they need. */
export interface Material {
  outline: Outline;
  /** The blocks of a message, read on demand. */
  content(messageIndex: number): Block[];
  /** The call with this id. */
  call(toolUseId: string): FoundCall | undefined;
  /** The change that a call asked for. */
  change(toolUseId: string): Change;
  purpose(toolName: string): ToolPurpose;
}

export type SignalOf<N extends Signal['name']> = Extract<Signal, { name: N }>;

/** The signals of one name in their order, of the session itself: what a fork inherited happened elsewhere. */
export function signalsNamed<N extends Signal['name']>(outline: Outline, name: N): SignalOf<N>[] {
  const named = outline.signals.filter((signal): signal is SignalOf<N> => signal.name === name);
  // A clear is told by other files: it happened to this session, whatever its last message is.
  const own = named.filter((signal) => name === 'context-cleared' || isOwn(outline, signal));
  return own.sort((a, b) => placeOf(a) - placeOf(b));
}

/** It happened in this session. A fork may begin by taking back what it inherited: the act is its own. */
export function isOwn({ messages }: Outline, signal: Signal): boolean {
  return signal.is_own ?? messages[placeOf(signal)]?.inherited == null;
}

function placeOf(signal: Signal): number {
  return signal.message_index ?? signal.after_message_index ?? -1;
}

export function eventId(kind: EventKind, anchor: string): string {
  return `${kind}:${anchor}`;
}

export function eventBase(kind: EventKind, signal: Signal, turnOf: TurnOf): EventBase {
  return {
    id: eventId(kind, signal.anchor),
    turn: signal.between_turns === true ? null : turnOf(signal.message_index ?? signal.after_message_index),
    basis: signal.basis,
    confidence: signal.confidence,
    could_be: signal.could_be,
    evidence: signal.evidence,
    extra: signal.extra ?? {},
  };
}

/** The turn that a message belongs to. */
export type TurnOf = (messageIndex: number | null) => number | null;

export function turnLookup(turnOfMessage: (number | null)[]): TurnOf {
  return (index) => (index === null ? null : (turnOfMessage[index] ?? null));
}

interface FoundCall {
  message_index: number;
  name: string;
}

/** What a call asked for, as its reader wants to see it: the input whole, and the diff of an edit. */
export function actionOf(material: Material, toolUseId: string) {
  const call = material.call(toolUseId);
  if (call === undefined) return null;
  const block = material
    .content(call.message_index)
    .find((candidate) => candidate.type === 'tool_use' && candidate.id === toolUseId);
  if (block?.type !== 'tool_use') return null;
  return { input: block.input, ...material.change(toolUseId) };
}

/** The words of the result that answered a call. */
export function resultText(material: Material, messageIndex: number | null, toolUseId: string): string | null {
  if (messageIndex === null) return null;
  const block = material
    .content(messageIndex)
    .find((candidate) => candidate.type === 'tool_result' && candidate.tool_use_id === toolUseId);
  if (block?.type !== 'tool_result') return null;
  const text = block.content
    .map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('\n');
  return text || null;
}
