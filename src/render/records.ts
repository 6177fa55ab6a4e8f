// One thing a line: the session first, then its messages, then everything else. Each line says
// which session it belongs to, so that lines can be filtered and sorted on their own.

import { jsonText } from '../schema/json-text.ts';
import type { SessionStream } from '../schema/stream.ts';
import type { ExportOptions } from './ndjson.ts';

export function* recordLines(session: SessionStream, options: ExportOptions): Generator<string> {
  const { document } = session;
  const { agent, id } = document.session;
  const line = (type: string, value: unknown): string => `${jsonText({ type, agent, session_id: id, value })}\n`;
  yield `${jsonText({ type: 'session', schema_version: document.schema_version, agent, session_id: id, value: document.session })}\n`;
  for (const message of session.messages()) yield line('message', message);
  for (const turn of document.turns) yield line('turn', turn);
  for (const call of session.toolCalls()) yield line('tool_call', call);
  yield line('not_recorded', document.context.not_recorded);
  for (const window of document.context.windows) yield line('window', window);
  for (const event of document.compaction.boundaries) yield line('compaction', event);
  for (const event of document.context_clears) yield line('clear', event);
  for (const event of document.interruptions) yield line('interruption', event);
  for (const event of document.rejections) yield line('rejection', event);
  for (const event of document.rewinds) yield line('rewind', event);
  for (const event of document.denials) yield line('denial', event);
  for (const event of document.failures) yield line('failure', event);
  for (const record of session.records(options)) yield line('record', record);
  for (const diagnostic of document.diagnostics) yield line('diagnostic', diagnostic);
}
