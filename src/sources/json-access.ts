// Their files change without telling us: ask only for what is needed, and take what fits.

import type { Json } from '../schema/blocks.ts';

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
