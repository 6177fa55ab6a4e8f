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
      (bits, model, next) => ({
        file: bits & 1 ? next() : model.file,
        line: bits & 2 ? next() : model.line,
        offset: bits & 4 ? next() : model.offset,
        length: bits & 8 ? next() : model.length,
        pointer: bits & 16 ? next() : model.pointer,
      }),
      (bits, model, next) => ({
        type: bits & 1 ? next() : model.type,
        row: bits & 2 ? next() : model.row,
        pointer: bits & 4 ? next() : model.pointer,
        tool_use_id: bits & 8 ? next() : model.tool_use_id,
        name: bits & 16 ? next() : model.name,
      }),
      (bits, model, next) => ({
        id: bits & 1 ? next() : model.id,
        parent_id: bits & 2 ? next() : model.parent_id,
        role: bits & 4 ? next() : model.role,
        kind: bits & 8 ? next() : model.kind,
        timestamp: bits & 16 ? next() : model.timestamp,
        ended_at: bits & 32 ? next() : model.ended_at,
        blocks: bits & 64 ? next() : model.blocks,
        content: bits & 128 ? next() : model.content,
        said: bits & 256 ? next() : model.said,
        model: bits & 512 ? next() : model.model,
        stop_reason: bits & 1024 ? next() : model.stop_reason,
        usage: bits & 2048 ? next() : model.usage,
        request_id: bits & 4096 ? next() : model.request_id,
        sent: bits & 8192 ? next() : model.sent,
        sent_before: bits & 16384 ? next() : model.sent_before,
        inherited: bits & 32768 ? next() : model.inherited,
        source: bits & 65536 ? next() : model.source,
        extra: bits & 131072 ? next() : model.extra,
        turn_id: bits & 262144 ? next() : model.turn_id,
        starts_turn: bits & 524288 ? next() : model.starts_turn,
        ends_turn: bits & 1048576 ? next() : model.ends_turn,
      }),
      (bits, model, next) => ({
        parent: bits & 1 ? next() : model.parent,
        above: bits & 2 ? next() : model.above,
        index: bits & 4 ? next() : model.index,
        size: bits & 8 ? next() : model.size,
      }),
    ] satisfies Maker[]
  ).map((maker) => [nameOf(Object.keys(maker(0, {}, () => null))), maker]),
);
