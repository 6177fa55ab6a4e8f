// Files that the agent itself packed.

import { zstdDecompressSync } from 'node:zlib';
import type { OpenFile } from '../sources/source.ts';

export interface Unpacked {
  bytes: Buffer;
  /** How many bytes behind the last whole frame are none: cut, damaged, or something else. */
  rest: number;
}

/** A file of which the system knows only the packed size: places and ends are those of what is in it. */
export function isPacked(path: string): boolean {
  return path.endsWith('.zst');
}

/** Frames may follow one another, and some hold nothing to read: Node unpacks one, and says how far it came. Throws where there is none. */
export function unpack(packed: Buffer): Unpacked {
  const frames: Buffer[] = [];
  let at = 0;
  do {
    const frame = frameAt(packed, at);
    if (frame === undefined) break;
    frames.push(frame.bytes);
    at += frame.length;
  } while (at < packed.length);
  if (frames.length === 0)
    throw Object.assign(new Error('it is no zstd file, or it was cut'), { code: 'Z_DATA_ERROR' });
  const [first] = frames;
  const bytes = first !== undefined && frames.length === 1 ? first : Buffer.concat(frames);
  return { bytes, rest: packed.length - at };
}

function frameAt(packed: Buffer, at: number): { bytes: Buffer; length: number } | undefined {
  try {
    // With `info` it gives more than its type says: `bytesWritten` is what it took in.
    const { buffer, engine } = zstdDecompressSync(packed.subarray(at), { info: true }) as unknown as Info;
    return engine.bytesWritten > 0 ? { bytes: buffer, length: engine.bytesWritten } : undefined;
  } catch {
    return undefined;
  }
}

interface Info {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/** As if it had never been packed: places in it are places in the unpacked text. What was unpacked stands; to read on behind it fails, as on a disk that fails in mid-file. */
export function openUnpacked({ bytes, rest }: Unpacked): OpenFile {
  return {
    size: rest === 0 ? bytes.length : bytes.length + 1,
    read: (into, at) => {
      if (rest > 0 && at >= bytes.length)
        throw Object.assign(new Error(`its last ${rest} bytes are no zstd, or were cut`), { code: 'Z_DATA_ERROR' });
      return bytes.copy(into, 0, at);
    },
    close: () => {},
  };
}
