// Tells when files of the agents' histories change. What the system says is only a hint: names, sizes and times decide.

import { dirname, join, resolve, sep } from 'node:path';
import type { AgentName } from '../schema/words.ts';
import { agentPlaces } from '../sources/places.ts';
import type { AgentPlace, FileInfo } from '../sources/source.ts';
import { type HomePlaces, rootsOf } from './agent-folder.ts';
import { FolderWatches, isFolder } from './folder-watches.ts';
import { listFiles, type Root } from './node-files.ts';

export interface WatchOptions {
  /** What comes within so many milliseconds is told together (20 where not given). */
  settle_ms?: number;
  /** How often to look where the system does not tell (2000 where not given). */
  poll_ms?: number;
  /** Told once: the system does not tell of all changes, and some are seen only when we look. */
  onTrouble?: (message: string) => void;
}

/** Files of one agent's folder that came or changed, and those that went. A file that was moved is one of each. */
export interface ChangedFiles {
  agent: AgentName;
  /** The agent's folder: the same paths may be in several homes. */
  folder: string;
  /** As they are now; paths as documents name them. */
  files: FileInfo[];
  gone: string[];
}

export interface Watching {
  /** Nothing is told any more, and nothing keeps the process. */
  close(): void;
}

/** Every change after this has returned is told. It keeps the process alive until it is closed. */
export function watch(
  places: HomePlaces,
  onChange: (changed: ChangedFiles) => void,
  options: WatchOptions = {},
): Watching {
  const { settle_ms = 20, poll_ms = 2000, onTrouble } = options;
  const means: Means = { settle_ms, poll_ms, onChange, trouble: firstOnly(onTrouble) };
  const roots = agentPlaces.flatMap((place) => rootsOf(place, places).map((root) => new RootWatch(place, root, means)));
  return {
    close: () => {
      for (const root of roots) root.close();
    },
  };
}

function firstOnly(tell: ((message: string) => void) | undefined): (message: string) => void {
  let isTold = false;
  return (message) => {
    if (!isTold) tell?.(message);
    isTold = true;
  };
}

interface Means {
  settle_ms: number;
  poll_ms: number;
  onChange: (changed: ChangedFiles) => void;
  trouble: (message: string) => void;
}

type Difference = Pick<ChangedFiles, 'files' | 'gone'>;

/** More than this at once, and some may be lost: Linux holds 16,384 for us, and Node does not say that there were more. */
const BURST = 1000;
/** Looking at everything takes no more than a tenth of the time where changes are told, and a fiftieth where they are not. */
const [REST, REST_OF_POLLS] = [9, 49];
/** All of an agent's folder. */
const ALL = '';

/** One agent's folder. */
class RootWatch {
  private readonly place: AgentPlace;
  private readonly root: Root;
  private readonly folder: string;
  private readonly means: Means;
  private readonly folders: FolderWatches;
  /** Every file as it was when it was last looked at. */
  private readonly files = new Map<string, FileInfo>();
  /** What to look at: places in the folder. */
  private readonly touched = new Set<string>();
  private events = 0;
  private hasDoubles = false;
  private restsUntil = 0;
  private settling: NodeJS.Timeout | undefined;
  private polling: NodeJS.Timeout | undefined;

  constructor(place: AgentPlace, root: Root, means: Means) {
    this.place = place;
    this.root = root;
    this.folder = resolve(root.folder);
    this.means = means;
    this.folders = new FolderWatches({ touched: (path) => this.touch(path), untold: (why) => this.startPolling(why) });
    this.lookAtAll();
    this.restsUntil = 0;
  }

  close(): void {
    clearTimeout(this.settling);
    clearTimeout(this.polling);
    this.folders.close();
  }

  /** Settings, logs and caches of the agent change often: they get no further than this. */
  private touch(path: string): void {
    const part = this.partOf(path);
    if (part === undefined) return;
    this.events++;
    this.touched.add(part);
    this.settling ??= setTimeout(() => this.settle(), this.means.settle_ms);
  }

  /** Which part of the histories a path is about: one of them, a folder of them, all; undefined where none. */
  private partOf(path: string): string | undefined {
    if (isAtOrBelow(this.folder, path, sep)) return ALL;
    if (!isAtOrBelow(path, this.folder, sep)) return undefined;
    const inside = path.slice(this.folder.length + 1).replaceAll(sep, '/');
    if (this.place.places.some((place) => isAtOrBelow(inside, place, '/'))) return inside;
    return this.place.places.some((place) => isAtOrBelow(place, inside, '/')) ? ALL : undefined;
  }

  private settle(): void {
    const parts = [...this.touched];
    const isMuch = this.events > BURST || this.touched.has(ALL);
    const rest = isMuch ? this.restsUntil - performance.now() : 0;
    this.settling = rest > 0 ? setTimeout(() => this.settle(), rest) : undefined;
    if (rest > 0) return;
    this.touched.clear();
    this.events = 0;
    this.tell(isMuch ? this.lookAtAll() : joined(parts.map((part) => this.lookAt(part))));
  }

  private tell({ files, gone }: Difference): void {
    if (files.length + gone.length === 0) return;
    this.means.onChange({ agent: this.place.agent, folder: this.root.folder, files, gone });
  }

  /** The folder itself may have come, gone, or become another. */
  private lookAtAll(): Difference {
    const begun = performance.now();
    const met = new Set<string>();
    for (const folder of foldersAbove(this.folder)) {
      met.add(folder);
      this.folders.listen(folder);
    }
    const files = this.list(this.place.places, met);
    this.folders.forget((path) => !met.has(path));
    const difference = this.compare([...this.files.keys()], files);
    this.restsUntil = performance.now() + (performance.now() - begun) * REST;
    return difference;
  }

  private lookAt(part: string): Difference {
    const path = join(this.folder, part);
    const name = `${this.root.name}/${part}`;
    const met = new Set<string>();
    const files = this.list([part], met);
    if (met.size === 0 && !this.folders.hasFolder(path)) return this.compare(this.files.has(name) ? [name] : [], files);
    // Where links lead twice to one folder, all of them decide by which path it is seen.
    if (this.hasDoubles || [...met].some((folder) => this.folders.isListenedElsewhere(folder))) return this.lookAtAll();
    this.folders.forget((known) => isAtOrBelow(known, path, sep) && !met.has(known));
    const before = [...this.files.keys()].filter((known) => isAtOrBelow(known, name, '/'));
    return this.compare(before, files);
  }

  /** Folders are listened to before they are looked into: what is written in between is told. */
  private list(parts: string[], met: Set<string>): FileInfo[] {
    const { files, diagnostics } = listFiles(this.root, parts, {
      folder: (path, real) => {
        met.add(resolve(path));
        this.folders.listenBelow(resolve(path), real);
      },
      linkedFile: (path) => {
        met.add(resolve(path));
        this.folders.listenToFile(resolve(path));
      },
    });
    if (diagnostics.some(({ code }) => code === 'folder-seen')) this.hasDoubles = true;
    return files;
  }

  private compare(before: string[], files: FileInfo[]): Difference {
    const there = new Set(files.map(({ path }) => path));
    const gone = before.filter((path) => !there.has(path));
    const changed = files.filter((info) => !isSame(this.files.get(info.path), info));
    for (const path of gone) this.files.delete(path);
    for (const info of changed) this.files.set(info.path, info);
    return { files: changed, gone };
  }

  private startPolling(why: string): void {
    this.means.trouble(why);
    this.polling ??= setTimeout(() => this.pollOnce(), this.means.poll_ms);
  }

  private pollOnce(): void {
    const begun = performance.now();
    const difference = this.lookAtAll();
    const rest = (performance.now() - begun) * REST_OF_POLLS;
    this.polling = setTimeout(() => this.pollOnce(), Math.max(this.means.poll_ms, rest));
    this.tell(difference);
  }
}

function isAtOrBelow(path: string, folder: string, separator: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** The folder, where it is there, and the nearest one above it: there it is seen to come and go. */
function foldersAbove(folder: string): string[] {
  let above = dirname(folder);
  while (!isFolder(above) && above !== dirname(above)) above = dirname(above);
  return isFolder(folder) ? [above, folder] : [above];
}

function isSame(a: FileInfo | undefined, b: FileInfo): boolean {
  return a !== undefined && a.bytes === b.bytes && a.modified_ms === b.modified_ms;
}

/** A path may have been looked at twice, as a file and with its folder: what was seen last counts. */
function joined(differences: Difference[]): Difference {
  const seen = new Map<string, FileInfo | null>();
  for (const { files, gone } of differences) {
    for (const path of gone) seen.set(path, null);
    for (const info of files) seen.set(info.path, info);
  }
  const [files, gone]: [FileInfo[], string[]] = [[], []];
  for (const [path, info] of seen)
    if (info === null) gone.push(path);
    else files.push(info);
  return { files, gone };
}
