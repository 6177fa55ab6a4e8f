// Times as agents write them, told so that they can be compared as texts.

import type { Json } from '../schema/blocks.ts';

/** A time; null for what is none. All agents write UTC; other tools that write such files may write an offset: the same moment is meant. */
export function timeIn(value: Json | undefined): string | null {
  if (typeof value !== 'string' || value.length < 19) return null;
  if (value[4] !== '-' || value[10] !== 'T' || value[13] !== ':') return null;
  return value.endsWith('Z') || !OFFSET.test(value) ? value : inUtc(value);
}

const OFFSET = /[+-]\d\d:?\d\d$/;

function inUtc(time: string): string | null {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
