import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Does a person read it, or write to it? `node:tty` takes a few milliseconds to load, and files and pipes are told without it. */
export function isTerminal(descriptor: number): boolean {
  return isDevice(descriptor) && isatty(descriptor);
}

function isDevice(descriptor: number): boolean {
  try {
    return process.platform === 'win32' || fstatSync(descriptor).isCharacterDevice();
  } catch {
    // It is closed.
    return false;
  }
}
