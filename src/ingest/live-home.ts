// The sessions of homes while their files change: what has changed is taken in, the rest is not looked at again.

import type { Diagnostic } from '../schema/session.ts';
import type { AgentName } from '../schema/words.ts';
import { sources } from '../sources/index.ts';
import type { Family, FileInfo, LinkHead, Source } from '../sources/source.ts';
import { type AgentFolder, agentFolders, type HomePlaces } from './agent-folder.ts';
import { type LinksById, linksById } from './apply-links.ts';
import type { Den } from './den.ts';
import { type FoundFamily, foundFamily } from './home.ts';
import type { ChangedFiles } from './watch.ts';

/** A session of a home that is being watched. */
export interface LiveFamily {
  /** The same for as long as it is there. Its id alone is not enough: two homes may hold the same. */
  key: string;
  agent: AgentName;
  id: string;
  /** The agent's folder that it lies in. Ids tie only sessions of the same one. */
  folder: string;
  /** As it is now; null where it is gone. */
  family: FoundFamily | null;
  /** Files of its own changed, not only some that it shares with others, or what ties it to them. */
  isOwn: boolean;
}

/** Homes that are kept up to date by what `watch` tells. */
export interface LiveHome {
  families(): LiveFamily[];
  /** Folders and files that could not be read or were no history, at the beginning. */
  diagnostics: Diagnostic[];
  /** Takes in what has changed; gives the sessions that are other than before. */
  update(changed: ChangedFiles): LiveFamily[];
  /**
   * Works out what ties sessions (clears, forks, names), if anything has changed that may tell; gives those that are tied otherwise than before.
   * Apart from `update`, because it may look at every session. Called before anything changes, it makes the first reading quicker.
   */
  tie(): LiveFamily[];
}

/** Call `watch` first: what changes while this looks is told then. */
export function liveHome(places: HomePlaces): LiveHome {
  const { folders, diagnostics } = agentFolders(places, sources);
  const roots = folders.map(
    (folder, number) => new LiveRoot(String(number), folder, () => folderAgain(places, folder)),
  );
  return {
    families: () => roots.flatMap((root) => root.families()),
    diagnostics: [...diagnostics, ...roots.flatMap((root) => root.diagnostics)],
    update: (changed) =>
      roots
        .filter(({ folder: { place, root } }) => place.agent === changed.agent && root.folder === changed.folder)
        .flatMap((root) => root.update(changed)),
    tie: () => roots.flatMap((root) => root.tie()),
  };
}

/** The same folder, as it is now, with what was kept of it. */
function folderAgain(places: HomePlaces, { place, root }: AgentFolder<Source>): AgentFolder<Source> | undefined {
  return agentFolders(places, [place]).folders.find((folder) => folder.root.folder === root.folder);
}

/** What ties sessions stands in their beginnings, some of it behind the first words. Beyond this we do not look again each time something is written. */
const YOUNG_BYTES = 256 * 1024;

/** One agent's folder. */
class LiveRoot {
  folder: AgentFolder<Source>;
  diagnostics: Diagnostic[] = [];
  private readonly number: string;
  private readonly again: () => AgentFolder<Source> | undefined;
  private readonly infos = new Map<string, FileInfo>();
  private readonly byId = new Map<string, { family: Family; found: FoundFamily }>();
  private companions: FileInfo[] = [];
  /** Ids of the families that a file is part of. */
  private readonly holders = new Map<string, Set<string>>();
  /** Where a file that changed belongs, as far as it alone tells. */
  private readonly alone = new Map<string, string>();
  private readonly heads = new Map<string, LinkHead | null>();
  /** Null until somebody asks. */
  private links: LinksById | null = null;
  private areTiesOld = false;
  /** Beginnings that may say something else now, because of files beside them. */
  private readonly doubted = new Map<string, LinkHead | null>();

  constructor(number: string, folder: AgentFolder<Source>, again: () => AgentFolder<Source> | undefined) {
    this.number = number;
    this.folder = folder;
    this.again = again;
    this.group();
  }

  families(): LiveFamily[] {
    return [...this.byId.keys()].map((id) => this.live(id, { isOwn: true }));
  }

  update({ files, gone }: ChangedFiles): LiveFamily[] {
    const isLess = gone.some((path) => this.holders.has(path) || this.isCompanion(path));
    // Every one of them is asked: what a file tells is remembered.
    const isOther = files.filter((info) => this.belongsElsewhere(info)).length > 0;
    for (const path of gone) this.alone.delete(path);
    return isLess || isOther ? this.regroup(isLess ? this.again() : this.withNew(files)) : this.grow(files);
  }

  tie(): LiveFamily[] {
    const before = this.links;
    if (before !== null && !this.areTiesOld) return [];
    const doubted = new Map(this.doubted);
    this.areTiesOld = false;
    this.links = null;
    this.doubted.clear();
    const now = this.linksNow();
    // A title that stands in another session's file is taken over when the session itself changes.
    return [...this.byId.values()]
      .filter(({ family }) => {
        const head = doubted.get(family.id);
        if (head !== undefined && toldBy(head) !== toldBy(this.headOf(family))) return true;
        return before !== null && toldBy(before.of(family.id)) !== toldBy(now.of(family.id));
      })
      .map(({ family }) => this.live(family.id, { isOwn: false }));
  }

  /** Does it make other families than there are? A file that is no history must not have all of them looked at again. */
  private belongsElsewhere(info: FileInfo): boolean {
    const { path } = info;
    const place = this.placeAlone([info]);
    const before = this.alone.get(path);
    this.alone.set(path, place);
    // Its name may have been all that there was to go by.
    if (this.infos.get(path)?.bytes === 0 && place !== '') return true;
    if (before !== undefined) return before !== place;
    const holders = this.holders.get(path);
    if (holders !== undefined) return place !== '' && !holders.has(place);
    if (this.isCompanion(path)) return false;
    return place !== '' || (!this.infos.has(path) && this.placeAlone([info, ...this.below(path)]) !== '');
  }

  /** Id of the family that the first of these files is part of. */
  private placeAlone(infos: FileInfo[]): string {
    const { families, companions } = this.folder.place.group(infos, this.folder.port);
    const [info] = infos;
    if (companions.some((companion) => companion === info)) return '(companion)';
    return families.find(({ files }) => files.some((file) => file.info === info))?.id ?? '';
  }

  /** Files of families in the folder of a file, and below: some files belong to all of them. */
  private below(path: string): FileInfo[] {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return [...this.infos.values()].filter((info) => info.path.startsWith(folder) && this.holders.has(info.path));
  }

  private isCompanion(path: string): boolean {
    return this.companions.some((companion) => companion.path === path);
  }

  /** Files changed, but each is still part of what it was part of. */
  private grow(files: FileInfo[]): LiveFamily[] {
    const now = new Map(files.map((info) => [info.path, info]));
    for (const info of files) this.infos.set(info.path, info);
    if (this.companions.some(({ path }) => now.has(path))) {
      this.companions = this.companions.map((info) => now.get(info.path) ?? info);
      // Some projects are told only by files beside the sessions.
      this.doubt((head) => head?.project == null);
    }
    const ids = new Set(files.flatMap(({ path }) => [...(this.holders.get(path) ?? [])]));
    return [...ids].flatMap((id) => {
      const before = this.byId.get(id)?.family;
      if (before === undefined) return [];
      const family = this.grown(before, now);
      const isOwn = ownFiles(before) !== ownFiles(family);
      this.take(family);
      if (isOwn) this.askTies(family);
      // Only companions of it changed: they may tell of others.
      else this.areTiesOld = true;
      return [this.live(id, { isOwn })];
    });
  }

  private grown({ id, files }: Family, now: ReadonlyMap<string, FileInfo>): Family {
    const family = { id, files: files.map((file) => ({ ...file, info: now.get(file.info.path) ?? file.info })) };
    if (!files.some(({ role }) => role === 'copy')) return family;
    // Which of several copies comes first may go by their sizes.
    const infos = sorted(family.files.map(({ info }) => info));
    const { families } = this.folder.place.group(infos, this.folder.port);
    const again = families.find((candidate) => candidate.id === id);
    return again?.files.length === infos.length ? again : family;
  }

  /** Where files have come and none has gone, we know them all. A kept file may have come back under another name. */
  private withNew(files: FileInfo[]): AgentFolder<Source> | undefined {
    for (const info of files) this.infos.set(info.path, info);
    const all = [...this.infos.values()];
    if (all.some((info) => info.kept === true)) return this.again();
    return { ...this.folder, files: sorted(all) };
  }

  private regroup(folder: AgentFolder<Source> | undefined): LiveFamily[] {
    const before = new Map([...this.byId].map(([id, { family }]) => [id, family]));
    const beside = pathsOf(this.companions);
    this.folder = folder ?? { ...this.folder, files: [] };
    this.group();
    this.doubt((head) => head?.project == null || beside !== pathsOf(this.companions));
    return [...new Set([...this.byId.keys(), ...before.keys()])].flatMap((id) => {
      const [old, now] = [before.get(id), this.byId.get(id)?.family];
      if (old !== undefined && now !== undefined && allFiles(old) === allFiles(now)) return [];
      this.heads.delete(id);
      return [this.live(id, { isOwn: old === undefined || now === undefined || ownFiles(old) !== ownFiles(now) })];
    });
  }

  private group(): void {
    const { place, port, files } = this.folder;
    const { families, companions, diagnostics } = place.group(files, port);
    this.diagnostics = diagnostics;
    this.companions = companions;
    for (const known of [this.infos, this.byId, this.holders]) known.clear();
    for (const info of files) this.infos.set(info.path, info);
    for (const family of families) this.take(family);
  }

  private take(family: Family): void {
    for (const { info } of family.files)
      this.holders.set(info.path, (this.holders.get(info.path) ?? new Set()).add(family.id));
    this.byId.set(family.id, { family, found: foundFamily(this.den(), family) });
  }

  private doubt(isDoubtful: (head: LinkHead | null) => boolean): void {
    this.areTiesOld = true;
    for (const [id, head] of this.heads) {
      if (!isDoubtful(head)) continue;
      this.heads.delete(id);
      this.doubted.set(id, head);
    }
  }

  /** What the family is tied by may have come with what was written. */
  private askTies(family: Family): void {
    const before = this.heads.get(family.id);
    this.heads.delete(family.id);
    const isSame = before === undefined || toldBy(before) === toldBy(this.headOf(family));
    const main = family.files.find(({ role }) => role === 'main');
    const isYoung = main !== undefined && main.info.bytes < YOUNG_BYTES;
    if (!isSame || isYoung || this.folder.place.openTies === null) this.areTiesOld = true;
  }

  private den(): Den {
    const { place, root, port } = this.folder;
    return {
      source: place,
      root,
      port,
      families: [],
      companions: this.companions,
      links: () => this.linksNow(),
      headOf: (family) => this.headOf(family) ?? undefined,
      retention: () => place.retention(port),
    };
  }

  private headOf(family: Family): LinkHead | null {
    const known = this.heads.get(family.id);
    if (known !== undefined) return known;
    const head = this.folder.place.linkHead(family, this.folder.port, this.companions);
    this.heads.set(family.id, head);
    return head;
  }

  /** As they were when they were last worked out. */
  private linksNow(): LinksById {
    const { place, port } = this.folder;
    this.links ??= linksById(
      place.link(
        [...this.byId.values()].flatMap(({ family }) => this.headOf(family) ?? []),
        this.companions,
        port,
      ),
    );
    return this.links;
  }

  private live(id: string, { isOwn }: { isOwn: boolean }): LiveFamily {
    const family = this.byId.get(id)?.found ?? null;
    const { place, real } = this.folder;
    return { key: `${this.number} ${id}`, agent: place.agent, id, folder: real, family, isOwn };
  }
}

/** Files and families are named, not told: they change without what ties them. */
function toldBy(links: unknown): string {
  return JSON.stringify(links, (key, value) =>
    key === 'file' ? (value as FileInfo).path : key === 'family' ? null : value,
  );
}

/** As a listing has them. */
function sorted(infos: FileInfo[]): FileInfo[] {
  return infos.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function pathsOf(infos: FileInfo[]): string {
  return infos.map(({ path }) => path).join('\n');
}

function allFiles({ files }: Family): string {
  return files
    .map(({ info, role, session_id }) =>
      [info.path, info.bytes, info.modified_ms, info.kept, role, session_id].join(' '),
    )
    .join('\n');
}

/** What a fork goes on from, and companions, are others' too. */
function ownFiles({ id, files }: Family): string {
  return allFiles({ id, files: files.filter(({ role }) => role !== 'companion' && role !== 'base') });
}
