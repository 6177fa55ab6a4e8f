import type { Conversation, Row } from './conversation.ts';

export interface Edit {
  oldString: string;
  newString: string;
  originalFile: string;
  structuredPatch: Row[];
  /** The changed place with line numbers, as older clients show it to the model. */
  snippet: string;
}

const CONTEXT = 3;

/** A change that really fits its file: the patch can be applied, and the old text is where the patch says. */
export function editOf({ random, text, version }: Pick<Conversation, 'random' | 'text' | 'version'>): Edit {
  const file = text.code(random, random.longTail(2400, 1.4, 150_000) + 400).split('\n');
  const first = random.integer(0, Math.max(0, file.length - 2));
  const removed = file.slice(first, first + Math.min(random.longTail(4, 0.9, 60), file.length - first));
  const added = text.code(random, random.longTail(160, 0.9, 6000) + 30).split('\n');
  const before = file.slice(Math.max(0, first - CONTEXT), first);
  const after = file.slice(first + removed.length, first + removed.length + CONTEXT);
  const start = first - before.length + 1;
  const shown = [...before, ...added, ...after];
  return {
    oldString: removed.join('\n'),
    newString: added.join('\n'),
    originalFile: file.join('\n'),
    structuredPatch: [
      {
        oldStart: start,
        oldLines: before.length + removed.length + after.length,
        newStart: start,
        newLines: shown.length,
        lines: [
          ...before.map((line) => ` ${line}`),
          ...removed.map((line) => `-${line}`),
          ...added.map((line) => `+${line}`),
          ...after.map((line) => ` ${line}`),
        ],
      },
    ],
    snippet: shown
      .map((line, index) => `${String(start + index).padStart(6)}${version.readSeparator}${line}`)
      .join('\n'),
  };
}
