// How a file begins and ends, as a short text: a file that only grew still has both where they were.

import { openedOrNot } from '../sources/head-rows.ts';
import type { Files } from '../sources/source.ts';

const END_BYTES = 2048;

/** Of the first so many bytes of a file. */
export function endsOf(port: Files, path: string, bytes: number): string {
  const open = openedOrNot(port, path);
  if (open === undefined) return '';
  try {
    const size = Math.min(END_BYTES, bytes);
    const ends = new Int32Array((END_BYTES * 2) / Int32Array.BYTES_PER_ELEMENT);
    const buffer = Buffer.from(ends.buffer);
    open.read(buffer.subarray(0, size), 0);
    open.read(buffer.subarray(END_BYTES, END_BYTES + size), bytes - size);
    return mixed(ends);
  } finally {
    open.close();
  }
}

/** 64 bits, against chance and not against an attacker, who could change the middle. To load what makes better ones takes 9 ms. */
function mixed(words: Int32Array): string {
  let [a, b] = [0x9747b28c | 0, 0x3c6ef372];
  // Without `Math.imul`: see text-hash.ts.
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    a = ((a ^ word) * 0x6b43a9) | 0;
    a ^= a >>> 15;
    b = ((b + word) * 0x4f9ba5) | 0;
    b ^= b >>> 13;
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Does a row end within the first bytes of a file? */
export function hasRow(port: Files, path: string, bytes: number): boolean {
  const open = openedOrNot(port, path);
  if (open === undefined) return false;
  const buffer = Buffer.allocUnsafe(Math.min(bytes, 64 * 1024));
  try {
    for (let at = 0, got = 1; at < bytes && got > 0; at += got) {
      got = open.read(buffer.subarray(0, Math.min(buffer.length, bytes - at)), at);
      if (buffer.subarray(0, got).includes(0x0a)) return true;
    }
    return false;
  } finally {
    open.close();
  }
}
