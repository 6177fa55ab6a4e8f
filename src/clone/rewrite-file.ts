import { basename, dirname } from 'node:path';
import { filesOf } from '../ingest/node-files.ts';
import type { AgentName } from '../schema/words.ts';
import { sources } from '../sources/index.ts';
import type { RowChanges } from '../sources/source.ts';

/**
 * The bytes of a session's file with some values of some rows changed, and everything else as it is: bad lines, blanks and line
 * ends too. Without changes they are the bytes of the file.
 */
export function* rewriteFile(agent: AgentName, path: string, changes?: RowChanges): Generator<Uint8Array> {
  const writer = sources.find((source) => source.agent === agent)?.writer;
  if (writer == null) throw new Error(`Sessions of ${agent} cannot be written.`);
  yield* writer.rewrite(filesOf({ folder: dirname(path), name: '' }), basename(path), changes ?? (() => null));
}
