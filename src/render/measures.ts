// Times and amounts as a person reads them: local, short. The present is given, never asked for.

import { localDay, two } from '../schema/local-day.ts';

/** 2026-11-15 18:14 */
export function dayAndTime(timestamp: string | null): string | null {
  const day = dayOf(timestamp);
  return day === null ? null : `${day} ${timeOf(timestamp)}`;
}

/** 2026-11-15 */
export function dayOf(timestamp: string | null): string | null {
  const date = dateOf(timestamp);
  return date === null ? null : localDay(date);
}

/** 18:14 */
export function timeOf(timestamp: string | null): string | null {
  const date = dateOf(timestamp);
  return date === null ? null : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function dateOf(timestamp: string | null): Date | null {
  const date = new Date(timestamp ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

const STEPS: [ms: number, unit: string][] = [
  [86_400_000 * 365, 'y'],
  [86_400_000 * 30, 'mo'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** How long ago: `2 h`, `3 d`, `now`. */
export function ago(timestamp: string | null, now: number): string {
  const date = dateOf(timestamp);
  if (date === null) return '?';
  const gap = now - date.getTime();
  const [ms, unit] = STEPS.find(([step]) => gap >= step) ?? [0, ''];
  return ms === 0 ? 'now' : `${Math.floor(gap / ms)} ${unit}`;
}

/** 14.2 GB; a megabyte is a million bytes. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step - 1]}`;
}

/** 171k, 9.4M, 1.2B */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 9950) return `${(count / 1000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return count < 999_950_000 ? `${(count / 1e6).toFixed(1)}M` : `${(count / 1e9).toFixed(1)}B`;
}

/** $1,234.56; a little that would look like nothing is <$0.01 */
export function dollars(amount: number): string {
  if (amount > 0 && amount < 0.005) return '<$0.01';
  const [whole = '', cents = ''] = amount.toFixed(2).split('.');
  return `$${grouped(whole)}.${cents}`;
}

/** 1 session, 2 sessions */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** 12,345 */
export function amount(count: number): string {
  return grouped(String(Math.round(count)));
}

/** By threes. The platform can do it too, after 15 ms of loading what it knows of languages. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
