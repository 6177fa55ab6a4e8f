// How far long work has come: on a terminal only, and only if it takes a while.

import { isatty } from 'node:tty';

export interface Progress {
  add(bytes: number): void;
  end(): void;
}

const WAIT_MS = 1000;
const EVERY_MS = 200;

export function progress(what: string, total: number): Progress {
  if (!isatty(2)) return { add: () => {}, end: () => {} };
  const begun = Date.now();
  let done = 0;
  let last = begun + WAIT_MS - EVERY_MS;
  let drawn = false;
  return {
    add(bytes) {
      done += bytes;
      const now = Date.now();
      if (now - last < EVERY_MS) return;
      last = now;
      drawn = true;
      const rate = done / Math.max(1, now - begun) / 1000;
      process.stderr.write(`\r\u001b[K${what} ${megabytes(done)} of ${megabytes(total)} MB, ${rate.toFixed(0)} MB/s`);
    },
    end() {
      if (drawn) process.stderr.write('\r\u001b[K');
    },
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
