// Their files change without telling us: ask only for what is needed, and take what fits.

import type { Json, Text } from '../schema/blocks.ts';
import { parsedAround } from './shorten.ts';

export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

export function listAt(value: JsonObject | undefined, key: string): Json[] | undefined {
  const found = value?.[key];
  return Array.isArray(found) ? found : undefined;
}

export function stringAt(value: JsonObject | undefined, key: string): string | undefined {
  const found = value?.[key];
  return typeof found === 'string' ? found : undefined;
}

export function stringsAt(value: JsonObject | undefined, key: string): string[] {
  return (listAt(value, key) ?? []).filter((entry) => typeof entry === 'string');
}

/** A count: whole and not negative, whatever was written. */
export function countAt(value: JsonObject | undefined, key: string): number {
  const found = value?.[key];
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : 0;
}

export function integerAt(value: JsonObject | undefined, key: string): number | null {
  const found = value?.[key];
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

/** The value at a JSON pointer whose keys need no escapes. */
export function valueAt(value: Json, pointer: string): Json {
  const keys = keysIn(pointer);
  let at: Json = value;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? '';
    if (Array.isArray(at)) at = at[Number(key)] ?? null;
    else if (isObject(at)) at = at[key] ?? null;
    else return null;
  }
  return at;
}

/** Rows of a kind are asked for the same places: to take a pointer apart costs more than to follow it. */
const keysOf = new Map<string, string[]>();
const MOST_POINTERS = 1000;

function keysIn(pointer: string): string[] {
  const known = keysOf.get(pointer);
  if (known !== undefined) return known;
  const keys = pointer.split('/').slice(1);
  if (keysOf.size < MOST_POINTERS) keysOf.set(pointer, keys);
  return keys;
}

export function textAt(value: Json | undefined): Text | null {
  return typeof value === 'string' || isOmitted(value) ? value : null;
}

/** A string that was too long to read along: see skim.ts. */
export function isOmitted(value: Json | undefined): value is { omitted_bytes: number; offset: number } {
  return (
    isObject(value) &&
    typeof value.omitted_bytes === 'number' &&
    typeof value.offset === 'number' &&
    Object.keys(value).length === 2
  );
}

/** A text that should be a JSON object; undefined where it is none. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedText(text);
  return isObject(value) ? value : undefined;
}

/** The value of a JSON text that stands in a string, also where the string was cut; undefined where it is none. */
export function parsedText(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return parsedAround(text);
  }
}
