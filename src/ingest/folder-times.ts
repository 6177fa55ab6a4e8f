// Folders as they were when they were listed. One in which nothing came or went since then has the time it had, and need not be listed
// again: only the files in it are asked for their sizes. That takes a third less time.
//
// Taken is the time at which a folder itself was last changed (ctime): nobody can set it, whereas programs that copy folders set the other one.

import { existsSync, statfsSync, statSync } from 'node:fs';
import type { FileInfo } from '../sources/source.ts';
import type { Root } from './node-files.ts';

/** By path below the root's folder. */
export type FolderTimes = Record<string, number>;

/** What was there: the files by the paths that documents show, and the folders. */
export interface ListedBefore {
  files: string[];
  times: FolderTimes;
}

/** File systems of this machine that keep these times: the numbers that Linux has for them, statfs(2). */
const KEEPING = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

/** Of a folder that was changed later than this before it was listed, the time may be the same though more has changed: clocks are coarse. */
const SETTLED_MS = 2000;

/** Notes the times of folders, each before it is looked into. */
export class NotedTimes {
  private readonly folder: string;
  private readonly now: number;
  private readonly times: FolderTimes = {};
  private readonly device: number | undefined;
  private isSettled: boolean;

  constructor({ folder }: Root, now = Date.now()) {
    this.folder = folder;
    this.now = now;
    this.isSettled = keepsTimes(folder);
    this.device = statOf(folder)?.dev;
  }

  note(path: string): void {
    if (!this.isSettled) return;
    const { ctimeMs, dev } = statSync(path);
    this.isSettled = dev === this.device && ctimeMs < this.now - SETTLED_MS;
    this.times[path.slice(this.folder.length)] = ctimeMs;
  }

  /** Null where they tell nothing: one of them is too new, or lies elsewhere. */
  get all(): FolderTimes | null {
    return this.isSettled ? this.times : null;
  }
}

function keepsTimes(folder: string): boolean {
  try {
    return process.platform === 'linux' && KEEPING.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
}

/** The files as they are now, if none came or went; undefined where that has to be looked for. */
export function listedAgain(
  { folder, name }: Root,
  places: string[],
  { files, times }: ListedBefore,
): FileInfo[] | undefined {
  for (const path in times) if (statOf(folder + path)?.ctimeMs !== times[path]) return undefined;
  for (const place of places) {
    const isKnown = times[`/${place}`] !== undefined || files.includes(`${name}/${place}`);
    if (!isKnown && existsSync(`${folder}/${place}`)) return undefined;
  }
  const found: FileInfo[] = [];
  for (const path of files) {
    const stats = statOf(folder + path.slice(name.length));
    if (stats?.isFile() !== true) return undefined;
    found.push({ path, bytes: stats.size, modified_ms: stats.mtimeMs });
  }
  return found;
}

/** Made once: it is given for thousands of files. */
const OR_NOTHING = { throwIfNoEntry: false } as const;

/** Whatever cannot be asked is looked for in the other way, and told there. */
function statOf(path: string) {
  try {
    return statSync(path, OR_NOTHING);
  } catch {
    return undefined;
  }
}
