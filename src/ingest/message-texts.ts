// The texts of single messages, read back from the agent's file, or from its kept copy, without the rest of their session.

import type { DatabaseSync } from 'node:sqlite';
import type { Block } from '../schema/blocks.ts';
import type { OutlineMessage } from '../schema/outline.ts';
import type { AgentName } from '../schema/words.ts';
import type { SourceOf } from '../sources/load.ts';
import type { Source } from '../sources/source.ts';
import { portTo } from './agent-folder.ts';
import { type RowStore, rowStore } from './rows.ts';
import { textsOf } from './search-text.ts';
import { messageFrom } from './stored-message.ts';

/** Where a message lies: what the store knows of it. */
interface MessagePlace {
  root: number;
  paths: string[];
  kind: OutlineMessage['kind'];
  places: number[][];
  shape: string;
}

interface PlacedText {
  kind: Block['type'];
  text: string;
}

export interface MessageTexts {
  /** Nothing where the file has changed in the meantime, or is gone. */
  of(place: MessagePlace): PlacedText[];
  /** Files of which some text could not be read since they were opened. */
  readonly unread: ReadonlySet<string>;
  close(): void;
}

/** More of one text is looked at by nobody. */
const LONGEST = 1024 * 1024;

export function messageTexts(main: DatabaseSync, kept: string | undefined, sourceOf: SourceOf): MessageTexts {
  const readers = new Map<number, Reader>();
  const unread = new Set<string>();
  const readerOf = (root: number): Reader => {
    const reader = readers.get(root) ?? readerAt(main, root, { kept, sourceOf, lost: (path) => unread.add(path) });
    readers.set(root, reader);
    return reader;
  };
  return {
    of: ({ root, paths, kind, places, shape }) => {
      const { source, rows } = readerOf(root);
      try {
        const blocks = source.content(messageFrom({ kind, places, shape }), rows.rowsOf(paths));
        return blocks.flatMap((block) =>
          textsOf(block).map((text) => ({ kind: block.type, text: text.slice(0, LONGEST) })),
        );
      } catch {
        return [];
      }
    },
    unread,
    close: () => {
      for (const { rows } of readers.values()) rows.close();
    },
  };
}

interface Reader {
  source: Source;
  rows: RowStore;
}

interface ReaderOptions {
  kept: string | undefined;
  sourceOf: SourceOf;
  /** Told of files that can no longer be read. */
  lost: (path: string) => void;
}

function readerAt(main: DatabaseSync, root: number, { kept, sourceOf, lost }: ReaderOptions): Reader {
  const row = main.prepare('select agent, folder from roots where id = ?').get(root) as
    | { agent: AgentName; folder: string }
    | undefined;
  if (row === undefined) throw new Error(`The index has no folder ${root}.`);
  const source = sourceOf(row.agent);
  return { source, rows: rowStore(portTo(source, { folder: row.folder, name: source.root.name }, kept), lost) };
}
