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

export function shapeOf({ source, blocks }: Pick<OutlineMessage, 'source' | 'blocks'>): ShapedMessage {
  const ref = source[0];
  const block = blocks[0];
  // Nearly every message: one row, one block.
  if (
    ref !== undefined &&
    block !== undefined &&
    source.length === 1 &&
    blocks.length === 1 &&
    block.row === ref &&
    ref.pointer === null
  )
    return { places: source, shape: plainShape(block) };
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

/** Those of messages of one block, by its pointer and its type. */
const plainShapes = new Map<string, Map<string, string>>();

function plainShape({ type, pointer }: OutlineBlock): string {
  let ofPointer = plainShapes.get(pointer);
  if (ofPointer === undefined) {
    ofPointer = new Map();
    plainShapes.set(pointer, ofPointer);
  }
  const known = ofPointer.get(type);
  if (known !== undefined) return known;
  const shape = JSON.stringify([1, 0, [type, 0, pointer]]);
  ofPointer.set(type, shape);
  return shape;
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
