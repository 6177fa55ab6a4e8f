// The rows of a message as they stand in its file.

import type { SessionReader } from '../index.ts';
import type { RawAnswer } from './api.ts';

const MOST_BYTES = 512 * 1024;

export function rawRows(reader: SessionReader, index: number): RawAnswer {
  const { files } = reader.document.session.source;
  const { source } = reader.message(index);
  const rows = source.map((ref) => {
    const bytes = reader.bytes(ref);
    const text = bytes.subarray(0, MOST_BYTES).toString('utf8');
    return {
      file: files[ref.file]?.path ?? '',
      line: ref.line,
      bytes: ref.length,
      text,
      cut: Math.max(0, bytes.length - MOST_BYTES),
    };
  });
  return { api_version: 1, rows };
}
