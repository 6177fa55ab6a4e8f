// Where a message lies, in few words, and back: enough to read its text again without the rest of its session.

import type { SourceRef } from '../schema/blocks.ts';
import type { OutlineBlock, OutlineMessage } from '../schema/outline.ts';
import { newMessage } from '../sources/new-message.ts';
import type { RowPlace } from '../store/rows.ts';

/** `places`: its rows. `shape`: by how many of them it is known, their pointers where it is a part of one, its blocks. */
interface ShapedMessage {
  places: readonly RowPlace[];
  shape: string;
}

type BlockShape = [OutlineBlock['type'], number, string];

export function shapeOf(message: Pick<OutlineMessage, 'source' | 'blocks'>): ShapedMessage {
  const { source } = message;
  const known = knownShape(message);
  if (known !== undefined) {
    known.shape ??= newShape(message).shape;
    return { places: source, shape: known.shape };
  }
  return newShape(message);
}

function newShape({ source, blocks }: Pick<OutlineMessage, 'source' | 'blocks'>): ShapedMessage {
  const refs = [...source];
  const shape = blocks.map(({ type, row, pointer }): BlockShape => {
    let at = refs.indexOf(row);
    if (at === -1) at = refs.findIndex((known) => known.file === row.file && known.offset === row.offset);
    if (at === -1) at = refs.push(row) - 1;
    return [type, at, pointer];
  });
  const pointers = refs.some(({ pointer }) => pointer !== null) ? refs.map(({ pointer }) => pointer) : 0;
  return { places: refs, shape: JSON.stringify([source.length, pointers, ...shape]) };
}

/** One block after the other leads to the shape of a message: there are few, and to write each anew took one to two hundredths of a first index. */
class ShapeStep {
  shape: string | undefined;
  /** By pointer and type of the block, and the place of its row. */
  private readonly next = new Map<string, Map<string, ShapeStep[]>>();

  to(type: string, at: number, pointer: string): ShapeStep | undefined {
    return this.next.get(pointer)?.get(type)?.[at] ?? this.made(type, at, pointer);
  }

  private made(type: string, at: number, pointer: string): ShapeStep | undefined {
    if (++steps > MOST_STEPS) return undefined;
    const ofPointer = this.next.get(pointer) ?? new Map<string, ShapeStep[]>();
    const ofType = ofPointer.get(type) ?? [];
    const step = new ShapeStep();
    ofType[at] = step;
    this.next.set(pointer, ofPointer.set(type, ofType));
    return step;
  }
}

let steps = 0;
const MOST_STEPS = 10_000;
/** By the number of rows. */
const firstSteps: ShapeStep[] = [];
const MOST_ROWS = 64;

/** Where the shape of a message is kept whose rows are its own, each whole; undefined for others, and where very many are kept. */
function knownShape({ source, blocks }: Pick<OutlineMessage, 'source' | 'blocks'>): ShapeStep | undefined {
  if (source.length > MOST_ROWS) return undefined;
  for (let i = 0; i < source.length; i++) if (source[i]?.pointer !== null) return undefined;
  firstSteps[source.length] ??= new ShapeStep();
  let step = firstSteps[source.length];
  for (let i = 0; i < blocks.length && step !== undefined; i++) {
    const { type, row, pointer } = blocks[i] as OutlineBlock; // a place of the list
    const at = source.indexOf(row);
    step = at === -1 ? undefined : step.to(type, at, pointer);
  }
  return step;
}

/** What is kept of it: of each row file, line, offset and length. */
interface StoredShape {
  places: number[][];
  shape: string;
}

/** A message of which no more is known than what kind it is and where its blocks lie. */
export function messageFrom({ places, shape, kind }: StoredShape & Pick<OutlineMessage, 'kind'>): OutlineMessage {
  const [count, pointers, ...blocks] = JSON.parse(shape) as [number, (string | null)[] | 0, ...BlockShape[]];
  const refs = places.map(([file = 0, line = 1, offset = 0, length = 0], i): SourceRef => {
    return { file, line, offset, length, pointer: pointers === 0 ? null : (pointers[i] ?? null) };
  });
  return newMessage({
    id: '',
    role: 'user',
    kind,
    timestamp: null,
    source: refs.slice(0, count),
    extra: {},
    blocks: blocks.flatMap(([type, at, pointer]) => {
      const row = refs[at];
      return row === undefined ? [] : [{ type, row, pointer, tool_use_id: null, name: null }];
    }),
  });
}
