// What is kept of the reading of a family's large files, so that of those that only grew no more than what came is read.

import { crc32 } from 'node:zlib';
import type { Files, KeptReadings, LeftReading } from '../sources/source.ts';
import type { LeftReadings, StoredReading } from '../store/left-readings.ts';
import { READING } from '../store/tables.ts';
import { endsOf } from './file-ends.ts';
import { boundMemory, hasRoomToCopy } from './memory.ts';

/** Smaller files are read again sooner than what was made of them. */
export const WORTH_READING_ON = 8 * 1024 * 1024;

/** To keep a state takes half as long as to read the file: it is done again only after the file has grown by such a share. */
const GROWN_SHARE = 1 / 16;

interface Bounds {
  family: number;
  /** The reading that is to be gone on with: with words, cut. */
  said: boolean;
  cut: boolean;
  /** Files of so many bytes and more. */
  from: number;
}

export class FamilyReadings implements KeptReadings {
  /** What is to be written. */
  kept: StoredReading[] = [];
  private readonly stored: LeftReadings;
  private readonly port: Files;
  private readonly bounds: Bounds;
  /** By path: how far what is stored reaches, where it can be used. */
  private readonly reach = new Map<string, number>();

  constructor(stored: LeftReadings, port: Files, bounds: Bounds) {
    this.stored = stored;
    this.port = port;
    this.bounds = bounds;
  }

  leftAt(path: string, made: string): LeftReading | undefined {
    const { family, cut } = this.bounds;
    const stored = this.stored.get(family, path);
    if (stored === undefined || stored.cut !== cut || stored.sum !== sumOf(stored)) return undefined;
    if (stored.bound !== this.boundOf(path, stored.reach, made)) return undefined;
    this.reach.set(path, stored.reach);
    // All that is made of it is made at once.
    boundMemory(stored.reach);
    return { ...JSON.parse(stored.place), made, state: stored.state };
  }

  isWanted(path: string, bytes: number): boolean {
    if (bytes < this.bounds.from || bytes - (this.reach.get(path) ?? 0) <= bytes * GROWN_SHARE) return false;
    return hasRoomToCopy();
  }

  keep(path: string, left: LeftReading | null): void {
    if (left === null) return;
    // Much was needed to write it down.
    boundMemory(left.place.offset);
    const { place: at, begun, made, state } = left;
    const reach = at.offset;
    const place = JSON.stringify({ place: at, begun });
    const bound = this.boundOf(path, reach, made);
    this.kept.push({ path, reach, cut: this.bounds.cut, bound, place, sum: sumOf({ place, state }), state });
  }

  /** The file must begin and end, as far as it was read, as it did; and be read in the same way. */
  private boundOf(path: string, reach: number, made: string): string {
    const { said } = this.bounds;
    return JSON.stringify([READING, said, endsOf(this.port, path, reach), made]);
  }
}

/** Is this the bound of what readers like these kept, with words or without? Whether it can be used is known only when the file is looked at. */
export function isOfKind(bound: string, { said }: Pick<Bounds, 'said'>): boolean {
  return bound.startsWith(`[${READING},${said},`);
}

/** Against chance, not against an attacker: who can write there can write anything. */
function sumOf({ place, state }: Pick<StoredReading, 'place' | 'state'>): string {
  return `${state.length} ${crc32(state, crc32(place))}`;
}
