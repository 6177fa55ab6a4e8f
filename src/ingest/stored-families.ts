// What the store knows of the families of one agent's folder: enough for lists, without opening a file.

import type { DatabaseSync } from 'node:sqlite';
import type { SessionSummary } from '../schema/stream.ts';
import type { Family, FamilyFile, FileInfo } from '../sources/source.ts';
import { inFoundOrder } from './found-order.ts';

export interface StoredFamily {
  family: Family;
  project: string | null;
  started_at: string | null;
  last_used: string | null;
  summaries(): SessionSummary[];
}

export interface StoredFamilies {
  families: StoredFamily[];
  /** Files that tie sessions, or tell more of them. */
  companions: FileInfo[];
}

/** The store must be current: what has changed since it was written is not asked. */
export function storedFamilies(
  main: DatabaseSync,
  root: { id: number; links: string },
  files: FileInfo[],
): StoredFamilies {
  const infos = new Map(files.map((info) => [info.path, info]));
  const members = main
    .prepare(
      `select family, path, role, session_id from family_files join families on families.id = family
       where root = ? order by family, position`,
    )
    .all(root.id) as unknown as { family: number; path: string; role: FamilyFile['role']; session_id: string | null }[];
  const byFamily = Map.groupBy(members, ({ family }) => family);
  const rows = main
    .prepare('select id, native_id, head, last_used from families where root = ?')
    .all(root.id) as unknown as { id: number; native_id: string; head: string | null; last_used: string | null }[];
  const read = summaryReader(main, infos);
  // Of a session whose own file is gone no beginning is kept: those of its subagents tell.
  const subagents = main.prepare('select project, started_at from sessions where family = ? order by position');
  const peek = (id: number, head: string | null): Pick<StoredFamily, 'project' | 'started_at'> => {
    const { project = null, started_at = null } = JSON.parse(head ?? '{}') as Partial<StoredFamily>;
    if (head !== null) return { project, started_at };
    const told = subagents.all(id) as unknown as Pick<StoredFamily, 'project' | 'started_at'>[];
    return {
      project: told.find((one) => one.project !== null)?.project ?? null,
      started_at: told.flatMap((one) => one.started_at ?? []).sort()[0] ?? null,
    };
  };
  const families = rows.map(({ id, native_id, head, last_used }) => {
    const own = (byFamily.get(id) ?? []).flatMap(({ path, role, session_id }): FamilyFile[] => {
      const info = infos.get(path);
      return info === undefined ? [] : [{ info, role, session_id }];
    });
    return { family: { id: native_id, files: own }, ...peek(id, head), last_used, summaries: () => read(id) };
  });
  const { companions = [] } = JSON.parse(root.links || '{}') as { companions?: string[] };
  return {
    companions: companions.flatMap((path) => infos.get(path) ?? []),
    families: inFoundOrder(families, ({ family }) => family),
  };
}

function summaryReader(main: DatabaseSync, infos: ReadonlyMap<string, FileInfo>): (family: number) => SessionSummary[] {
  const sessions = main.prepare('select id, head, diagnostics from sessions where family = ? order by position');
  const events = main.prepare('select kind, event from events where session = ? order by position');
  return (family) =>
    sessions.all(family).map(({ id, head, diagnostics }) => {
      const found = Map.groupBy(events.all(Number(id)), ({ kind }) => String(kind));
      const list = (kind: string) => (found.get(kind) ?? []).map(({ event }) => JSON.parse(String(event)));
      return {
        session: withSizes(JSON.parse(String(head)), infos),
        compaction: { boundaries: list('compaction') },
        context_clears: list('clear'),
        interruptions: list('interruption'),
        rejections: list('rejection'),
        rewinds: list('rewind'),
        denials: list('denial'),
        failures: list('failure'),
        diagnostics: JSON.parse(String(diagnostics)),
      };
    });
}

/** A file that only ties sessions may have grown since: that is no reason to read them again. */
function withSizes(
  session: SessionSummary['session'],
  infos: ReadonlyMap<string, FileInfo>,
): SessionSummary['session'] {
  const files = session.source.files.map((file) => ({ ...file, bytes: infos.get(file.path)?.bytes ?? file.bytes }));
  return { ...session, source: { files } };
}
