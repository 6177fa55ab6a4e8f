// Objects of which a state holds very many, each made at once by an expression of its own: V8 takes much longer to set one key
// after the other, above all in a process that has just begun.

/** Makes an object like the model, but for the fields whose bits are set: these come next. */
export type Maker = (bits: number, model: Record<string, unknown>, next: () => unknown) => object;

/** What makes objects with these keys, in this order; undefined where they are to be made key by key. */
export function makerOf(keys: readonly string[]): Maker | undefined {
  return MAKERS.get(nameOf(keys));
}

/** None of ours has a blank in it: with their number, nobody else's give the same text. */
function nameOf(keys: readonly string[]): string {
  return `${keys.length} ${keys.join(' ')}`;
}

const MAKERS: ReadonlyMap<string, Maker> = new Map(
  (
    [
      (b, m, next) => ({
        file: b & 1 ? next() : m.file,
        line: b & 2 ? next() : m.line,
        offset: b & 4 ? next() : m.offset,
        length: b & 8 ? next() : m.length,
        pointer: b & 16 ? next() : m.pointer,
      }),
      (b, m, next) => ({
        type: b & 1 ? next() : m.type,
        row: b & 2 ? next() : m.row,
        pointer: b & 4 ? next() : m.pointer,
        tool_use_id: b & 8 ? next() : m.tool_use_id,
        name: b & 16 ? next() : m.name,
      }),
      (b, m, next) => ({
        id: b & 1 ? next() : m.id,
        parent_id: b & 2 ? next() : m.parent_id,
        role: b & 4 ? next() : m.role,
        kind: b & 8 ? next() : m.kind,
        timestamp: b & 16 ? next() : m.timestamp,
        ended_at: b & 32 ? next() : m.ended_at,
        blocks: b & 64 ? next() : m.blocks,
        content: b & 128 ? next() : m.content,
        said: b & 256 ? next() : m.said,
        model: b & 512 ? next() : m.model,
        stop_reason: b & 1024 ? next() : m.stop_reason,
        usage: b & 2048 ? next() : m.usage,
        request_id: b & 4096 ? next() : m.request_id,
        sent: b & 8192 ? next() : m.sent,
        sent_before: b & 16384 ? next() : m.sent_before,
        inherited: b & 32768 ? next() : m.inherited,
        source: b & 65536 ? next() : m.source,
        extra: b & 131072 ? next() : m.extra,
        turn_id: b & 262144 ? next() : m.turn_id,
        starts_turn: b & 524288 ? next() : m.starts_turn,
        ends_turn: b & 1048576 ? next() : m.ends_turn,
      }),
      (b, m, next) => ({
        parent: b & 1 ? next() : m.parent,
        above: b & 2 ? next() : m.above,
        index: b & 4 ? next() : m.index,
        size: b & 8 ? next() : m.size,
      }),
    ] satisfies Maker[]
  ).map((maker) => [nameOf(Object.keys(maker(0, {}, () => null))), maker]),
);
