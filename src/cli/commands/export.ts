import { ndjsonPieces, recordLines, spareProcessor } from '../../index.ts';
import type { FilterOptions } from '../choose.ts';
import { writeAll } from '../output.ts';
import { chosenSessions } from '../reading.ts';

interface ExportFlags extends FilterOptions {
  format: 'ndjson' | 'records';
  raw?: boolean;
}

export function exportSessions(names: string[], flags: ExportFlags): void {
  spareProcessor();
  const render = flags.format === 'ndjson' ? ndjsonPieces : recordLines;
  for (const session of chosenSessions(names, flags, 'exporting'))
    writeAll(render(session, { raw: flags.raw === true }));
}
