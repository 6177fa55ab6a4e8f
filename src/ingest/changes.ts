// What must be read again: files that changed, families whose files or ties changed.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { holdsAny } from '../sources/held-texts.ts';
import type { Family, FamilyFile, FileInfo, Files, Link, LinkHead, Source } from '../sources/source.ts';
import { type ListingChanges, listingChanges, listingIn } from '../store/packed-listing.ts';
import type { Tier } from '../store/rows.ts';
import { READING } from '../store/tables.ts';
import type { AgentFolder } from './agent-folder.ts';
import { linksById } from './apply-links.ts';
import { endsOf, hasRow } from './file-ends.ts';
import { inFoundOrder } from './found-order.ts';
import type { IndexTask, KnownSession } from './index-family.ts';
import { listingOf } from './listing.ts';
import { linksText, packedHead, type Ties, tiesFrom } from './packed-ties.ts';
import { canBeOpened, unreadIn } from './unread-files.ts';
import { isPacked } from './zstd.ts';

const FAMILIES = 'select id, native_id, tier, shard, fingerprint, links, head from families';

const AGENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

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
  /** When its files were last written to. */
  written_ms: number;
}

export interface RootPlan {
  tasks: PlannedTask[];
  /** Families that are no longer there. */
  gone: { id: number; shard: number | null }[];
  /** Families of which something else is told than before. */
  toldOtherwise: number[];
  /** What ties the sessions, null where nobody has asked yet; and whether that is not what it was. */
  ties: Ties | null;
  areTiesNew: boolean;
  heads: { family: string; head: string | null }[];
  /** Which files are one family, where that was worked out anew. */
  grouping: Family[] | null;
  /** Files that came or changed, and those that went. */
  files: { path: string; bytes: number; modified_ms: number; kept: boolean; ends: string }[];
  filesGone: string[];
  /** Files that tie sessions, or tell more of them. */
  companions: FileInfo[];
}

export function planRoot(
  main: DatabaseSync,
  root: { id: number; links: string },
  folder: AgentFolder<Source>,
  tier: Tier,
): RootPlan {
  return new Planner(main, root, folder, tier).plan();
}

interface StoredFile {
  bytes: number;
  modified_ms: number;
  kept: number;
  ends: string;
}

class Planner {
  private readonly main: DatabaseSync;
  private readonly root: number;
  private readonly source: Source;
  private readonly infos: Map<string, FileInfo>;
  private readonly port: Files;
  private readonly tier: Tier;
  private readonly old: Ties | null;
  /** Against what was there when all of it had been read. */
  private readonly changes: ListingChanges<FileInfo>;
  private readonly isNew: boolean;
  /** Those that were asked for: to load all of them takes longer than to read one that grew. */
  private readonly known = new Map<string, StoredFamily | undefined>();
  private isAllKnown = false;
  private readonly familyNamed: StatementSync;
  private readonly fileNamed: StatementSync;
  private readonly holders: StatementSync;
  /** Files that are not as they were, and those of them that only grew, with their sizes before. */
  private readonly changed = new Set<string>();
  private readonly grown = new Map<string, number>();

  constructor(main: DatabaseSync, root: { id: number; links: string }, folder: AgentFolder<Source>, tier: Tier) {
    this.main = main;
    this.root = root.id;
    this.source = folder.place;
    this.port = folder.port;
    this.tier = tier;
    this.infos = new Map(folder.files.map((info) => [info.path, info]));
    this.old = root.links === '' ? null : tiesFrom(root.links, this.infos);
    const listing = listingIn(main, root.id);
    this.isNew = listing === undefined;
    this.changes = listingChanges(listing, folder.files, listingOf(folder.files));
    this.familyNamed = main.prepare(`${FAMILIES} where root = ? and native_id = ?`);
    this.holders = main.prepare(
      'select native_id from family_files join families on families.id = family where path = ? and root = ?',
    );
    this.fileNamed = main.prepare('select bytes, modified_ms, kept, ends from files where root = ? and path = ?');
  }

  plan(): RootPlan {
    for (const info of this.changes.changed) this.compare(info);
    const gone = this.isNew ? this.filesNotThere() : this.changes.gone;
    for (const path of this.openedAgain()) this.changed.add(path);
    const tellsProjects = [...this.changed].some((path) => this.source.tellsProjects(path));
    const isOther =
      this.isNew || tellsProjects || this.grown.size < this.changed.size || gone.length > 0 || this.isToldOnlyNow();
    const grouped = isOther || this.isOrderOpen() ? this.regrouped() : null;
    if (grouped !== null) this.allFamilies();
    const touched = grouped?.families ?? this.touchedFamilies();
    const dirty = touched.filter((family) => this.isDirty(family));
    const moved = grouped === null ? new Map() : this.inOtherProjects(grouped, [...this.changed, ...gone]);
    const { ties, heads, tied } = this.ties(grouped, dirty, moved);
    const asked = new Map([...touched, ...tied].map((family) => [family.id, family]));
    const toldOtherwise = new Set([...moved.keys(), ...tied.map(({ id }) => id)]);
    const tasks = this.tasks(asked, ties?.links ?? [], heads, toldOtherwise);
    const there = grouped === null ? undefined : new Set(grouped.families.map(({ id }) => id));
    return {
      tasks,
      gone: there === undefined ? [] : this.allFamilies().filter(({ native_id }) => !there.has(native_id)),
      toldOtherwise: [...toldOtherwise].flatMap((id) => this.family(id)?.id ?? []),
      ties,
      areTiesNew: ties !== this.old,
      heads: [...heads].map(([family, head]) => ({ family, head: head === null ? null : packedHead(head) })),
      grouping: grouped?.families ?? null,
      files: [...this.changed, ...this.withoutEnds()].flatMap((path) => this.fileRow(path)),
      filesGone: gone,
      companions: grouped?.companions ?? this.infosOf(this.old?.companions ?? []),
    };
  }

  private isDirty(family: Family): boolean {
    const stored = this.family(family.id);
    return stored === undefined || stored.fingerprint !== fingerprintOf(family);
  }

  private compare(info: FileInfo): void {
    const known = this.fileNamed.get(this.root, info.path) as StoredFile | undefined;
    const isKept = info.kept === true ? 1 : 0;
    // After a run that ended early everything is looked at, and most of it is as it was.
    if (known?.bytes === info.bytes && known.modified_ms === info.modified_ms && known.kept === isKept) return;
    this.changed.add(info.path);
    // Of a packed file, neither size nor end tells how it was unpacked.
    if (isPacked(info.path)) return;
    if (known !== undefined && info.bytes > known.bytes && endsOf(this.port, info.path, known.bytes) === known.ends)
      this.grown.set(info.path, known.bytes);
  }

  /** A file that was empty, or told nothing of whose it is, when it was read: only since it grew can that be known. */
  private isToldOnlyNow(): boolean {
    return [...this.grown].some(([path, bytes]) => {
      if (!hasRow(this.port, path, bytes)) return true;
      // Most are known by an id that an agent gave; others go by the name of the file until they tell one.
      const named = this.holdersOf(path).filter((id) => !AGENT_ID.test(id));
      const info = this.infos.get(path);
      if (named.length === 0 || info === undefined) return false;
      return this.source.group([info], this.port).families.some(({ id }) => !named.includes(id));
    });
  }

  /** Families whose project is told by files beside them, and is another since one of these changed; with what their heads tell now. `paths`: files that changed, or are gone. */
  private inOtherProjects({ families, companions }: ReturnType<Source['group']>, paths: string[]): Heads {
    const moved: Heads = new Map();
    if (!paths.some((path) => this.source.tellsProjects(path))) return moved;
    const projectOf = this.main.prepare('select project from sessions where family = ? order by position limit 1');
    for (const family of families) {
      const stored = this.family(family.id);
      const known = projectOf.get(stored?.id ?? -1);
      const head = known === undefined ? null : this.source.linkHead(family, this.port, companions);
      // A run that ended early may have left the head of a project that was told for a moment.
      const told = stored?.head == null ? head?.project : (JSON.parse(stored.head) as LinkHead).project;
      if (head !== null && (head.project !== known?.project || head.project !== told)) moved.set(family.id, head);
    }
    return moved;
  }

  /** Files that could not be opened and now can be, though nothing about them has changed. */
  private openedAgain(): string[] {
    const unread = unreadIn(this.main, this.root).map(({ path }) => path);
    return unread.filter((path) => this.infos.has(path) && canBeOpened(this.port, path));
  }

  private filesNotThere(): string[] {
    const paths = this.main.prepare('select path from files where root = ?').all(this.root);
    return paths.map(({ path }) => String(path)).filter((path) => !this.infos.has(path));
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
    for (const path of this.changed) for (const id of this.holdersOf(path)) ids.add(id);
    return [...ids].map((id) => this.storedFamily(id));
  }

  private sessionsOf(family: number): KnownSession[] {
    const sessions = this.main.prepare('select native_id, paths from sessions where family = ? order by position');
    return sessions.all(family).map(({ native_id, paths }) => ({ native_id: String(native_id), paths: String(paths) }));
  }

  /** Families that a file is of. */
  private holdersOf(path: string): string[] {
    const holders = this.holders.all(path, this.root);
    return holders.map(({ native_id }) => String(native_id));
  }

  /** In the order in which they are found. */
  private storedFamilies(): Family[] {
    return inFoundOrder(
      this.allFamilies().map(({ native_id }) => this.storedFamily(native_id)),
      (family) => family,
    );
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
    moved: Heads,
  ): { ties: Ties | null; heads: Heads; tied: Family[] } {
    // Tokens are the same whatever ties sessions: a request that two of them hold counts once.
    if (this.tier === 0 && this.old === null) return { ties: null, heads: new Map(), tied: [] };
    const heads: Heads = new Map(moved);
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
    const orphans = this.source.openTies?.orphans(every, links) ?? [];
    const ties = { links, orphans, companions: companions.map(({ path }) => path) };
    return { ties, heads, tied: this.tiedOtherwise(all, links) };
  }

  /** Do the sessions that changed begin as they did, were they tied to none, and does nothing that came tie them? Those that are may be tied otherwise as they grow. */
  private areAsBefore(old: Ties, heads: Heads, companions: FileInfo[]): boolean {
    const { openTies } = this.source;
    if (companions.some(({ path }) => this.changed.has(path))) return false;
    if (heads.size === 0) return true;
    if (openTies === null) return false;
    const byId = linksById(old.links);
    return [...heads].every(([id, head]) => {
      const stored = this.family(id)?.head ?? null;
      if (byId.of(id).length > 0 || stored !== (head === null ? null : packedHead(head))) return false;
      const before = this.grown.get(head?.file.path ?? '');
      return head === null || before === undefined || !openTies.mayTie(this.port, head.file.path, before, old);
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
    const [before, byId] = [linksById(this.old?.links ?? []), linksById(links)];
    const leaves = new Set([...before.titles.keys(), ...byId.titles.keys()]);
    const isSame = (leaf: string) => before.titles.get(leaf)?.title === byId.titles.get(leaf)?.title;
    // Of several titles that stand for rows of one session, the one that is told first counts.
    const [was, is] = [before, byId].map(({ titles }) => [...titles.keys()].filter(isSame).join('\n'));
    const moved = [...leaves].filter((leaf) => leaf !== '' && (was !== is || !isSame(leaf)));
    return all.filter((family) => {
      const stored = this.family(family.id);
      if (stored === undefined || stored.tier < 1) return false;
      return stored.links !== linksText(byId.of(family.id)) || (moved.length > 0 && this.holdsRow(family, moved));
    });
  }

  private holdsRow({ files }: Family, ids: string[]): boolean {
    return files.some(({ info, role }) => role !== 'companion' && holdsAny(this.port, info.path, ids));
  }

  /** `toldOtherwise`: families of which something else is told than before, though their files and what ties them may be the same. */
  private tasks(
    families: Map<string, Family>,
    links: Link[],
    heads: Heads,
    toldOtherwise: ReadonlySet<string>,
  ): PlannedTask[] {
    const byId = linksById(links);
    return [...families.values()].flatMap((family): PlannedTask[] => {
      const stored = this.family(family.id);
      const own = byId.of(family.id);
      const [fingerprint, told] = [fingerprintOf(family), linksText(own)];
      const isDone = stored !== undefined && stored.tier >= this.tier && stored.fingerprint === fingerprint;
      // Whoever asks for tokens alone must not leave behind what else was read of a session that is tied otherwise now.
      if (isDone && (stored.tier === 0 || stored.links === told) && !toldOtherwise.has(family.id)) return [];
      const isGrown = stored !== undefined && stored.tier >= 1 && this.goesOn(family, stored);
      const tier = Math.max(this.tier, stored?.tier ?? 0) as Tier;
      return [
        {
          id: stored?.id ?? -1,
          family,
          tier,
          had: isGrown ? (stored.tier as Tier) : null,
          known: isGrown ? this.sessionsOf(stored.id) : [],
          fingerprint,
          links: own,
          links_text: told,
          project: (heads.get(family.id) ?? this.storedHead(family))?.project ?? null,
          shard: stored?.shard ?? null,
          bytes: family.files.reduce((sum, { info }) => sum + info.bytes, 0),
          written_ms: Math.max(...family.files.map(({ info }) => info.modified_ms)),
        },
      ];
    });
  }

  /**
   * Did the family's files only grow since it was read? Files beside it may be written anew, as Gemini does with what was typed at every
   * prompt: no message has words from there. What was there when all had been read may be older than that: a run that was
   * killed after it had read a family leaves it newer than the list of files, and a file may have been cut since.
   */
  private goesOn({ files }: Family, { fingerprint }: StoredFamily): boolean {
    if (fingerprint === '') return false;
    const [[reading], ...known] = JSON.parse(fingerprint) as [[number], ...[string, number][]];
    if (reading !== READING) return false;
    const read = new Map(known.map(([path, bytes]) => [path, bytes]));
    return files.every(({ info, role }) => {
      if (role === 'companion') return true;
      const before = this.changed.has(info.path) ? this.grown.get(info.path) : info.bytes;
      return before !== undefined && read.get(info.path) === before;
    });
  }

  /**
   * To look at the ends of all files takes a twentieth of the time in which their tokens are read, and where there are no words nothing is
   * gained by it: a file that grew is read whole. Who wants words has it done.
   */
  private get needsEnds(): boolean {
    return this.tier > 0 || !this.isNew;
  }

  private withoutEnds(): string[] {
    if (this.tier === 0 || this.isNew) return [];
    const paths = this.main.prepare("select path from files where root = ? and ends = ''").all(this.root);
    return paths.map(({ path }) => String(path)).filter((path) => !this.changed.has(path));
  }

  private fileRow(path: string): RootPlan['files'] {
    const info = this.infos.get(path);
    if (info === undefined) return [];
    const { bytes, modified_ms, kept } = info;
    const ends = this.needsEnds ? endsOf(this.port, path, bytes) : '';
    return [{ path, bytes, modified_ms, kept: kept === true, ends }];
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

/** How it is read, then names, sizes, times and roles of a family's files. */
function fingerprintOf({ files }: Family): string {
  return JSON.stringify([
    [READING],
    ...files.map(({ info, role, session_id }) => [info.path, info.bytes, info.modified_ms, role, session_id]),
  ]);
}
