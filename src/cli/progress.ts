// How far long work has come: on a terminal only, and only if it takes a while.

import { isTerminal } from './terminal.ts';

export interface Progress {
  add(bytes: number): void;
  end(): void;
}

const WAIT_MS = 1000;
const EVERY_MS = 200;

export function progress(what: string, total: number): Progress {
  const shown = progressTo(what);
  let done = 0;
  return {
    add(bytes) {
      done = Math.min(total, done + bytes);
      shown.reached(done, total);
    },
    end: shown.end,
  };
}

export interface ProgressTo {
  reached(done: number, total: number): void;
  end(): void;
}

/** For work whose size is told as it goes on. */
export function progressTo(what: string): ProgressTo {
  if (!isTerminal(2)) return { reached: () => {}, end: () => {} };
  const begun = Date.now();
  let last = begun + WAIT_MS - EVERY_MS;
  let drawn = false;
  return {
    reached(done, total) {
      const now = Date.now();
      if (now - last < EVERY_MS) return;
      last = now;
      drawn = true;
      const rate = done / Math.max(1, now - begun) / 1000;
      const left = rate === 0 ? '' : `, ${timeLeft((total - done) / rate / 1e6)} left`;
      process.stderr.write(
        `\r\u001b[K${what} ${megabytes(done)} of ${megabytes(total)} MB, ${rate.toFixed(0)} MB/s${left}`,
      );
    },
    end() {
      if (drawn) process.stderr.write('\r\u001b[K');
    },
  };
}

function timeLeft(seconds: number): string {
  if (seconds < 100) return `${Math.max(0, Math.ceil(seconds))} s`;
  return `${Math.ceil(seconds / 60)} min`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
