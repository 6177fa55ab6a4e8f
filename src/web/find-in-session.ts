// The messages of a session that hold some words.

import type { FoundAnswer } from './api.ts';
import type { OpenSession } from './shelf.ts';

/** Texts up to this many characters in all are held between two questions: people type letter by letter. */
const HELD = 64 * 1024 * 1024;
const MOST = 5000;

/** Every word must be there, in any order, capital letters or not. */
export function findIn({ reader, shower, texts }: OpenSession, text: string): FoundAnswer {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const indices: number[] = [];
  let held = 0;
  for (let index = 0; index < reader.messageCount && words.length > 0; index++) {
    const known = texts[index] ?? shower.textOf(index).toLowerCase();
    held += known.length;
    if (held <= HELD) texts[index] = known;
    if (!words.every((word) => known.includes(word))) continue;
    if (indices.length === MOST) return { api_version: 1, indices, more: true };
    indices.push(index);
  }
  return { api_version: 1, indices, more: false };
}
