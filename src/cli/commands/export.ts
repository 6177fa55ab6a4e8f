import { inOrder, ndjsonPieces, recordLines, type SessionReader } from '../../index.ts';
import { type Chosen, chooseMany, type FilterOptions, sayUnread, wantedOf } from '../choose.ts';
import { writeAll } from '../output.ts';
import { progress } from '../progress.ts';

interface ExportFlags extends FilterOptions {
  format: 'ndjson' | 'records';
  raw?: boolean;
}

export function exportSessions(names: string[], flags: ExportFlags): void {
  const chosen = chooseMany(names, flags);
  const render = flags.format === 'ndjson' ? ndjsonPieces : recordLines;
  const bytes = chosen.reduce((sum, { family }) => sum + family.bytes, 0);
  const shown = progress('exporting', bytes);
  for (const session of sessionsOf(chosen)) {
    sayUnread(session);
    writeAll(render(session, { raw: flags.raw === true }));
    shown.add(
      session.document.session.source.files.reduce(
        (sum, file) => sum + (file.role === 'companion' ? 0 : file.bytes),
        0,
      ),
    );
  }
  shown.end();
}

function* sessionsOf(chosen: Chosen[]): Generator<SessionReader> {
  const wanted = wantedOf(chosen);
  for (const session of inOrder([...new Set(chosen.map(({ family }) => family))])) if (wanted(session)) yield session;
}
