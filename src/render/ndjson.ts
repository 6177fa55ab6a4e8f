// One session a line. Written piece by piece: one string cannot hold a big session.

import { jsonText } from '../schema/json-text.ts';
import type { SessionStream } from '../schema/stream.ts';

export interface ExportOptions {
  /** Put the native row of every record into it. */
  raw: boolean;
}

/** The pieces of one line, its line feed included. Joined, they are the document as JSON. */
export function* ndjsonPieces(session: SessionStream, options: ExportOptions): Generator<string> {
  const { document } = session;
  yield `{"type":"session","schema_version":${jsonText(document.schema_version)},"session":${jsonText(document.session)}`;
  yield* list('messages', session.messages());
  yield* list('turns', document.turns);
  yield* list('tool_calls', session.toolCalls());
  yield `,"context":${jsonText(document.context)}`;
  yield `,"compaction":${jsonText(document.compaction)}`;
  yield* list('context_clears', document.context_clears);
  yield* list('interruptions', document.interruptions);
  yield* list('rejections', document.rejections);
  yield* list('rewinds', document.rewinds);
  yield* list('denials', document.denials);
  yield* list('failures', document.failures);
  yield* list('records', session.records(options));
  yield* list('diagnostics', document.diagnostics);
  yield '}\n';
}

function* list(name: string, entries: Iterable<unknown>): Generator<string> {
  yield `,"${name}":[`;
  let first = true;
  for (const entry of entries) {
    yield (first ? '' : ',') + jsonText(entry);
    first = false;
  }
  yield ']';
}
