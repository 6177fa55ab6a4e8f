// Data to stdout, everything else to stderr.

import { writeSync } from 'node:fs';
import { jsonText, printable } from '../shown.ts';
import { fail } from './failure.ts';
import { isTerminal } from './terminal.ts';

/** Memory for what is to be written, used again and again: to make new memory for every part of a long export took a seventh of its time. */
let spare: Buffer | undefined;
const ROOM = 256 * 1024;
/** The most that a character takes. */
const WIDEST = 3;

/** Writes pieces as they come, waiting for a slow reader; ends quietly when the reader has gone. A person sees each at once. */
export function writeAll(pieces: Iterable<string>): void {
  const isSeen = isTerminal(1);
  const held = spare ?? Buffer.allocUnsafeSlow(ROOM);
  spare = undefined; // what gives the pieces may write something, too
  let filled = 0;
  for (const piece of pieces) {
    const most = piece.length * WIDEST;
    if (filled + most > held.length) {
      writeOut(held.subarray(0, filled));
      filled = 0;
    }
    if (most > held.length) writeOut(Buffer.from(piece));
    else filled += held.write(piece, filled);
    if (!isSeen) continue;
    writeOut(held.subarray(0, filled));
    filled = 0;
  }
  writeOut(held.subarray(0, filled));
  spare = held;
}

/** `| head` closes the pipe: that is no error. */
function writeOut(bytes: Buffer): void {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') fail(`Cannot write the output: ${(error as Error).message}.`);
      // The pipe is full: a non-blocking one says so. Wait a little, without spinning.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function writeLine(text: string): void {
  writeAll([`${text}\n`]);
}

/** For what a person should know that is no data. It may hold names and paths from a history. */
export function say(text: string): void {
  try {
    writeSync(2, `${printable(text)}\n`);
  } catch {
    // Nobody is listening.
  }
}

const said = new Set<string>();

/** For what the store tells and a session, too. */
export function sayOnce(text: string): void {
  if (!said.has(text)) say(text);
  said.add(text);
}

/** JSON of a command's answer, versioned so that scripts can rely on it. */
export function writeJson(kind: string, value: unknown): void {
  writeLine(jsonText({ version: 1, kind, value }, 2));
}

/** The same for answers that come one after the other: each on a line of its own. */
export function writeJsonLine(kind: string, value: unknown): void {
  writeLine(jsonText({ version: 1, kind, value }));
}
