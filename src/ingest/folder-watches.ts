// Folders that the system tells us about. On Linux each folder is listened to by itself: Node's own recursion there listens
// to every single file, and not behind links. Elsewhere the system tells of everything below a folder.

import { type FSWatcher, realpathSync, statfsSync, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface Ears {
  /** Something happened to this path, or below it. */
  touched: (path: string) => void;
  /** The system does not tell of everything: why, and what to do about it. */
  untold: (why: string) => void;
}

interface Listened {
  isFolder: boolean;
  /** Where the path led to when we began to listen; nothing where we must begin anew. */
  real: string;
  /** The system tells of everything below it, too. */
  isDeep: boolean;
  /** Null where a folder above tells of it, or where the system refused. */
  watcher: FSWatcher | null;
}

export class FolderWatches {
  private readonly ears: Ears;
  private readonly listened = new Map<string, Listened>();
  private readonly canGoDeep = process.platform === 'darwin' || process.platform === 'win32';

  constructor(ears: Ears) {
    this.ears = ears;
  }

  hasFolder(path: string): boolean {
    return this.listened.get(path)?.isFolder === true;
  }

  /** What comes into this folder, leaves it or changes in it, but not what happens deeper. */
  listen(path: string): void {
    this.begin(path, { isFolder: true, real: realOf(path), isDeep: false });
  }

  /** A folder of histories, of which everything counts. */
  listenBelow(path: string, real: string): void {
    const above = this.listened.get(dirname(path));
    const isTold = above?.isDeep === true && join(above.real, basename(path)) === real;
    if (isTold) this.replace(path, { isFolder: true, real, isDeep: true, watcher: null });
    else this.begin(path, { isFolder: true, real, isDeep: this.canGoDeep });
  }

  /** Its folder does not tell of a file that lies elsewhere. */
  listenToFile(path: string): void {
    this.begin(path, { isFolder: false, real: realOf(path), isDeep: false });
  }

  /** Does another path that is listened to lead to the same folder? */
  isListenedElsewhere(path: string): boolean {
    const real = this.listened.get(path)?.real;
    for (const [other, { real: known, isFolder }] of this.listened)
      if (known === real && isFolder && other !== path && realOf(other) === real) return true;
    return false;
  }

  forget(isMeant: (path: string) => boolean): void {
    for (const [path, { watcher }] of this.listened) {
      if (!isMeant(path)) continue;
      watcher?.close();
      this.listened.delete(path);
    }
  }

  close(): void {
    this.forget(() => true);
  }

  private begin(path: string, how: Omit<Listened, 'watcher'>): void {
    if (this.listened.get(path)?.real === how.real) return;
    const watcher = this.started(path, how.isDeep);
    this.replace(path, { ...how, real: watcher === null ? '' : how.real, watcher });
  }

  private replace(path: string, listened: Listened): void {
    this.listened.get(path)?.watcher?.close();
    this.listened.set(path, listened);
  }

  private started(path: string, recursive: boolean): FSWatcher | null {
    const why = whyUntold(path);
    if (why !== undefined) this.ears.untold(why);
    try {
      const watcher = watch(path, { recursive }, (event, name) => this.heard(path, watcher, event, name));
      watcher.on('error', (error) => {
        this.refused(path, error);
        this.beginAnew(path, watcher);
      });
      return watcher;
    } catch (error) {
      this.refused(path, error as NodeJS.ErrnoException);
      return null;
    }
  }

  private heard(path: string, watcher: FSWatcher, event: string, name: string | null): void {
    const listened = this.listened.get(path);
    if (listened?.watcher !== watcher) return;
    // Of itself a folder or file tells by its own name: it went, and what has come in its place is not listened to.
    // A folder may hold something of its own name; then we begin anew for nothing.
    if (event === 'rename' && name === basename(path)) this.beginAnew(path, watcher);
    else this.ears.touched(listened.isFolder && name !== null ? join(path, name) : path);
  }

  private beginAnew(path: string, watcher: FSWatcher): void {
    const listened = this.listened.get(path);
    if (listened?.watcher !== watcher) return;
    watcher.close();
    this.listened.set(path, { ...listened, real: '', watcher: null });
    this.ears.touched(path);
  }

  private refused(path: string, error: NodeJS.ErrnoException): void {
    const { code = '', message } = error;
    // What went while we began is told by the folder above; of what may not be read nothing is to be told.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(code)) return;
    const limit = code === 'ENOSPC' ? ' (raise fs.inotify.max_user_watches)' : '';
    this.ears.untold(
      `The system watches no more folders${limit || `: ${message}`}. Changes in ${path} are looked for every few seconds instead.`,
    );
  }
}

/** File systems that other machines write to: the numbers that Linux has for them, statfs(2). FUSE stands for sshfs and for folders of the host in a container. */
const ELSEWHERE = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
]);

function whyUntold(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const kind = ELSEWHERE.get(fileSystemOf(path) ?? 0);
  if (kind === undefined) return undefined;
  return `The system tells only of changes that this machine makes in ${path} (${kind}). Others are looked for every few seconds.`;
}

function fileSystemOf(path: string): number | undefined {
  try {
    return statfsSync(path).type >>> 0;
  } catch {
    return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
