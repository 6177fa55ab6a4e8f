// What must be read again: files that changed, families whose files or ties changed.

import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openedOrNot } from '../sources/head-rows.ts';
import type { Family, FamilyFile, FileInfo, Files, Link, LinkHead, Source } from '../sources/source.ts';
import type { Tier } from '../store/rows.ts';
import type { AgentFolder } from './agent-folder.ts';
import { linksById } from './apply-links.ts';
import type { IndexTask } from './index-family.ts';

interface StoredFile {
  path: string;
  bytes: number;
  modified_ms: number;
  kept: number;
  ends: string;
}

const FAMILIES = 'select id, native_id, tier, shard, fingerprint, links, head from families';

interface StoredFamily {
  id: number;
  native_id: string;
  tier: number;
  shard: number | null;
  fingerprint: string;
  links: string;
  head: string | null;
}

/** A task, and where the family's words are. */
export interface PlannedTask extends IndexTask {
  shard: number | null;
  /** Bytes to read, and when its files were last written to. */
  bytes: number;
  written_ms: number;
}

export interface RootPlan {
  tasks: PlannedTask[];
  /** Families that are no longer there. */
  gone: { id: number; shard: number | null }[];
  /** What ties the sessions; null where nobody has asked yet. */
  ties: Ties | null;
  heads: { family: string; head: string | null }[];
  /** Which files are one family, where that was worked out anew. */
  grouping: Family[] | null;
  /** Files that came or changed, and those that went. */
  files: { path: string; bytes: number; modified_ms: number; kept: boolean; ends: string }[];
  filesGone: string[];
  /** Files that tie sessions, or tell more of them. */
  companions: FileInfo[];
}

/** Of files only their names are kept: their sizes change. */
export function packedTies({ links, companions }: Ties): string {
  return JSON.stringify({ links, companions }, (key, value) => (key === 'file' ? (value as FileInfo).path : value));
}

function tiesFrom(text: string, files: FileInfo[]): Ties {
  const infos = new Map(files.map((info) => [info.path, info]));
  return JSON.parse(text, (key, value) => {
    if (key !== 'file' || typeof value !== 'string') return value;
    return infos.get(value) ?? { path: value, bytes: 0, modified_ms: 0 };
  }) as Ties;
}

/** What ties the sessions of a root, and the files beside them that tell. */
interface Ties {
  links: Link[];
  companions: string[];
}

export function planRoot(
  main: DatabaseSync,
  root: { id: number; links: string },
  folder: AgentFolder<Source>,
  tier: Tier,
): RootPlan {
  const old = root.links === '' ? null : tiesFrom(root.links, folder.files);
  return new Planner(main, root.id, folder, tier, old).plan();
}

class Planner {
  private readonly main: DatabaseSync;
  private readonly root: number;
  private readonly source: Source;
  private readonly infos: Map<string, FileInfo>;
  private readonly port: Files;
  private readonly tier: Tier;
  private readonly old: Ties | null;
  private readonly storedFiles: Map<string, StoredFile>;
  /** Those that were asked for: to load all of them takes longer than to read one that grew. */
  private readonly known = new Map<string, StoredFamily | undefined>();
  private isAllKnown = false;
  private readonly familyNamed: StatementSync;
  /** Files that are not as they were, and those of them that only grew. */
  private readonly changed = new Set<string>();
  private readonly grown = new Set<string>();

  constructor(main: DatabaseSync, root: number, folder: AgentFolder<Source>, tier: Tier, old: Ties | null) {
    this.main = main;
    this.root = root;
    this.source = folder.place;
    this.port = folder.port;
    this.tier = tier;
    this.old = old;
    this.infos = new Map(folder.files.map((info) => [info.path, info]));
    const files = main.prepare('select path, bytes, modified_ms, kept, ends from files where root = ?').all(root);
    this.storedFiles = new Map((files as unknown as StoredFile[]).map((file) => [file.path, file]));
    this.familyNamed = main.prepare(`${FAMILIES} where root = ? and native_id = ?`);
  }

  plan(): RootPlan {
    for (const info of this.infos.values()) this.compare(info);
    const isNew = [...this.changed].some((path) => !this.grown.has(path));
    const isLess = [...this.storedFiles.keys()].some((path) => !this.infos.has(path));
    const grouped = isNew || isLess || this.storedFiles.size === 0 || this.isOrderOpen() ? this.regrouped() : null;
    if (grouped !== null) this.allFamilies();
    const touched = grouped?.families ?? this.touchedFamilies();
    const dirty = touched.filter((family) => this.family(family.id)?.fingerprint !== fingerprintOf(family));
    const { ties, heads, tied } = this.ties(grouped, dirty);
    const asked = new Map([...touched, ...tied].map((family) => [family.id, family]));
    const tasks = this.tasks(asked, ties?.links ?? [], heads);
    const there = grouped === null ? undefined : new Set(grouped.families.map(({ id }) => id));
    return {
      tasks,
      gone: there === undefined ? [] : this.allFamilies().filter(({ native_id }) => !there.has(native_id)),
      ties,
      heads: [...heads].map(([family, head]) => ({ family, head: head === null ? null : packedHead(head) })),
      grouping: grouped?.families ?? null,
      files: [...this.changed].flatMap((path) => this.fileRow(path)),
      filesGone: [...this.storedFiles.keys()].filter((path) => !this.infos.has(path)),
      companions: grouped?.companions ?? this.infosOf(this.old?.companions ?? []),
    };
  }

  private compare(info: FileInfo): void {
    const known = this.storedFiles.get(info.path);
    const isKept = info.kept === true ? 1 : 0;
    if (known?.bytes === info.bytes && known.modified_ms === info.modified_ms && known.kept === isKept) return;
    this.changed.add(info.path);
    if (known !== undefined && info.bytes > known.bytes && endsOf(this.port, info.path, known.bytes) === known.ends)
      this.grown.add(info.path);
  }

  /** Of a session in several files the order may hang on their sizes. */
  private isOrderOpen(): boolean {
    const several = this.main.prepare(
      `select 1 from family_files as own join families on families.id = own.family join family_files as other on other.family = own.family
       where own.path = ? and root = ? and other.role in ('copy', 'revert', 'base') limit 1`,
    );
    return [...this.changed].some((path) => several.get(path, this.root) !== undefined);
  }

  private regrouped() {
    return this.source.group([...this.infos.values()], this.port);
  }

  /** Where no file came or went, families are what they were. */
  private touchedFamilies(): Family[] {
    const lower = this.main
      .prepare('select native_id from families where root = ? and tier < ?')
      .all(this.root, this.tier);
    const ids = new Set(lower.map(({ native_id }) => String(native_id)));
    const holders = this.main.prepare(
      'select native_id from family_files join families on families.id = family where path = ? and root = ?',
    );
    for (const path of this.changed)
      for (const { native_id } of holders.all(path, this.root)) ids.add(String(native_id));
    return [...ids].map((id) => this.storedFamily(id));
  }

  /** In the order in which they are found. */
  private storedFamilies(): Family[] {
    const first = ({ files }: Family) => files.map(({ info }) => info.path).sort()[0] ?? '';
    const all = this.allFamilies().map(({ native_id }) => this.storedFamily(native_id));
    return all.sort((a, b) => (first(a) < first(b) ? -1 : 1));
  }

  private storedFamily(native_id: string): Family {
    const rows = this.main
      .prepare('select path, role, session_id from family_files where family = ? order by position')
      .all(this.family(native_id)?.id ?? -1);
    const files = rows.flatMap(({ path, role, session_id }): FamilyFile[] => {
      const info = this.infos.get(String(path));
      return info === undefined
        ? []
        : [{ info, role: role as FamilyFile['role'], session_id: session_id === null ? null : String(session_id) }];
    });
    return { id: native_id, files };
  }

  /** What ties the families now, and those among the others that are tied otherwise than before. */
  private ties(
    grouped: ReturnType<Source['group']> | null,
    dirty: Family[],
  ): { ties: Ties | null; heads: Heads; tied: Family[] } {
    const heads: Heads = new Map();
    // Tokens are the same whatever ties sessions: a request that two of them hold counts once.
    if (this.tier === 0 && this.old === null) return { ties: null, heads, tied: [] };
    const companions =
      grouped?.companions ?? this.infosOf(this.old?.companions ?? this.regrouped().companions.map(({ path }) => path));
    for (const family of dirty) heads.set(family.id, this.source.linkHead(family, this.port, companions));
    if (grouped === null && this.old !== null && this.areAsBefore(this.old, heads, companions))
      return { ties: this.old, heads, tied: [] };
    const all = grouped?.families ?? this.storedFamilies();
    const every = all.flatMap((family) => {
      const known = heads.get(family.id) ?? this.storedHead(family);
      const head = known === undefined ? this.source.linkHead(family, this.port, companions) : known;
      heads.set(family.id, head);
      return head ?? [];
    });
    const links = this.source.link(every, companions, this.port);
    const ties = { links, companions: companions.map(({ path }) => path) };
    return { ties, heads, tied: this.tiedOtherwise(all, links) };
  }

  /** Do the sessions that changed begin as they did, and were they tied to none? Those that are may be tied otherwise as they grow. */
  private areAsBefore(old: Ties, heads: Heads, companions: FileInfo[]): boolean {
    if (companions.some(({ path }) => this.changed.has(path))) return false;
    const byId = linksById(old.links);
    return [...heads].every(([id, head]) => {
      const stored = this.family(id)?.head ?? null;
      return (
        !this.source.linksFollowEnds && byId.of(id).length === 0 && stored === (head === null ? null : packedHead(head))
      );
    });
  }

  private infosOf(paths: string[]): FileInfo[] {
    return paths.flatMap((path) => this.infos.get(path) ?? []);
  }

  private storedHead(family: Family): LinkHead | undefined {
    const stored = this.family(family.id);
    if (stored?.head == null || stored.fingerprint !== fingerprintOf(family)) return undefined;
    const { path, ...head } = JSON.parse(stored.head) as Omit<LinkHead, 'family' | 'file'> & { path: string };
    const file = this.infos.get(path);
    return file === undefined ? undefined : { ...head, family, file };
  }

  private tiedOtherwise(all: Family[], links: Link[]): Family[] {
    const byId = linksById(links);
    const [old, now] = [this.old?.links ?? [], links].map(
      (list) => new Map(linksById(list).titles.map(({ leaf, title }) => [leaf, title])),
    );
    const leaves = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
    const moved = [...leaves].filter((leaf) => leaf !== '' && old?.get(leaf) !== now?.get(leaf));
    return all.filter((family) => {
      const stored = this.family(family.id);
      if (stored === undefined || stored.tier < 1) return false;
      return stored.links !== linksHash(byId.of(family.id)) || (moved.length > 0 && holdsAny(this.port, family, moved));
    });
  }

  private tasks(families: Map<string, Family>, links: Link[], heads: Heads): PlannedTask[] {
    const byId = linksById(links);
    return [...families.values()].flatMap((family): PlannedTask[] => {
      const stored = this.family(family.id);
      const own = byId.of(family.id);
      const [fingerprint, hash] = [fingerprintOf(family), linksHash(own)];
      const isDone = stored !== undefined && stored.tier >= this.tier && stored.fingerprint === fingerprint;
      if (isDone && (this.tier === 0 || stored.links === hash)) return [];
      const isGrown = family.files.every(({ info }) => !this.changed.has(info.path) || this.grown.has(info.path));
      const tier = Math.max(this.tier, stored?.tier ?? 0) as Tier;
      return [
        {
          id: stored?.id ?? -1,
          family,
          tier,
          had: isGrown && stored !== undefined && stored.tier >= 1 ? (stored.tier as Tier) : null,
          fingerprint,
          links: own,
          links_hash: hash,
          project: (heads.get(family.id) ?? this.storedHead(family))?.project ?? null,
          shard: stored?.shard ?? null,
          bytes: family.files.reduce((sum, { info }) => sum + info.bytes, 0),
          written_ms: Math.max(...family.files.map(({ info }) => info.modified_ms)),
        },
      ];
    });
  }

  private fileRow(path: string): RootPlan['files'] {
    const info = this.infos.get(path);
    if (info === undefined) return [];
    const { bytes, modified_ms, kept } = info;
    return [{ path, bytes, modified_ms, kept: kept === true, ends: endsOf(this.port, path, bytes) }];
  }

  private family(native_id: string): StoredFamily | undefined {
    if (this.isAllKnown || this.known.has(native_id)) return this.known.get(native_id);
    const family = this.familyNamed.get(this.root, native_id) as StoredFamily | undefined;
    this.known.set(native_id, family);
    return family;
  }

  private allFamilies(): StoredFamily[] {
    const all = this.main.prepare(`${FAMILIES} where root = ?`).all(this.root) as unknown as StoredFamily[];
    for (const family of all) this.known.set(family.native_id, family);
    this.isAllKnown = true;
    return all;
  }
}

type Heads = Map<string, LinkHead | null>;

/** Names, sizes, times and roles of a family's files. */
function fingerprintOf({ files }: Family): string {
  const told = files.map(
    ({ info, role, session_id }) => `${info.path}\0${info.bytes}\0${info.modified_ms}\0${role}\0${session_id}\n`,
  );
  return hash('sha1', told.join(''));
}

function linksHash(links: Link[]): string {
  if (links.length === 0) return '';
  const told = JSON.stringify(links, (key, value) => (key === 'file' ? (value as FileInfo).path : value));
  return hash('sha1', told);
}

function packedHead({ family: _, file, ...head }: LinkHead): string {
  return JSON.stringify({ ...head, path: file.path });
}

const END_BYTES = 2048;

/** A hash of how a file of so many bytes begins and ends. */
function endsOf(port: Files, path: string, bytes: number): string {
  const open = openedOrNot(port, path);
  if (open === undefined) return '';
  try {
    const size = Math.min(END_BYTES, bytes);
    const buffer = Buffer.alloc(size * 2);
    open.read(buffer.subarray(0, size), 0);
    open.read(buffer.subarray(size), bytes - size);
    return hash('sha1', buffer);
  } finally {
    open.close();
  }
}

/** Does one of the family's files hold one of these texts? */
function holdsAny(port: Files, { files }: Family, texts: string[]): boolean {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const overlap = Math.max(...texts.map((text) => text.length));
  return files.some(({ info, role }) => {
    const open = role === 'companion' ? undefined : openedOrNot(port, info.path);
    if (open === undefined) return false;
    try {
      for (let at = 0; at < open.size; at += buffer.length - overlap) {
        const bytes = buffer.subarray(0, open.read(buffer, at));
        if (texts.some((text) => bytes.includes(text))) return true;
        if (bytes.length < buffer.length) return false;
      }
      return false;
    } finally {
      open.close();
    }
  });
}
