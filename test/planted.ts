// A session's file with a mark of its own in every block: what was taken out of a copy must be nowhere in it.

/** The mark of a block, by the line it stands in and its place there; `d` for what stands beside a result. */
export function markOf(line: number, place: string): string {
  return `⟪${line}.${place}⟫`;
}

type Native = Record<string, unknown>;

export function planted(text: string): string {
  return text
    .split('\n')
    .map((row, i) => {
      const value = parsed(row);
      return value === undefined ? row : JSON.stringify(plantRow(value, i + 1));
    })
    .join('\n');
}

function parsed(row: string): Native | undefined {
  try {
    const value: unknown = JSON.parse(row);
    return typeof value === 'object' && value !== null ? (value as Native) : undefined;
  } catch {
    return undefined;
  }
}

function plantRow(row: Native, line: number): Native {
  const mark = (place: string | number) => markOf(line, String(place));
  const message = row.message as Native | undefined;
  if (message !== undefined) {
    const { content } = message;
    if (typeof content === 'string') message.content = content + mark('s');
    if (Array.isArray(content)) message.content = content.map((block, i) => plantBlock(block as Native, mark(i)));
  }
  // The boundary before a summary that stays, stays with it.
  if (row.type === 'system' && row.subtype !== 'compact_boundary' && typeof row.content === 'string')
    row.content += mark('s');
  if (row.attachment !== undefined) {
    (row.attachment as Native).planted = mark('a');
    if (Array.isArray(row.rendered)) row.rendered = row.rendered.map((part) => plantBlock(part as Native, mark('a')));
  }
  if (typeof row.toolUseResult === 'string') row.toolUseResult += mark('d');
  else if (typeof row.toolUseResult === 'object' && row.toolUseResult !== null)
    (row.toolUseResult as Native).planted = mark('d');
  return row;
}

/** In whatever of its values can hold text. */
function plantBlock(block: Native, mark: string): Native {
  const planted = { ...block };
  for (const key of ['text', 'thinking', 'signature', 'data', 'content'])
    if (typeof planted[key] === 'string') planted[key] += mark;
  if (Array.isArray(planted.content)) planted.content = planted.content.map((part) => plantBlock(part as Native, mark));
  if (planted.type === 'tool_use' || planted.type === 'server_tool_use')
    planted.input = { ...(planted.input as Native), planted: mark };
  if (planted.type === 'image') planted.source = plantBlock(planted.source as Native, mark);
  return planted;
}
