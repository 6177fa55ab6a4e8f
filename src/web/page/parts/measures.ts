// Figures and times as people read them: as on the terminal, and a few more.

import { amount, dayAndTime as dayAndTimeOrNot } from '../../../shown.ts';

export { ago, size, tokens } from '../../../shown.ts';

export function counted(count: number, word: string): string {
  return `${amount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Nothing where no time was recorded. */
export function dayAndTime(time: string | null): string {
  return dayAndTimeOrNot(time) ?? '';
}

export function clock(time: string | null): string {
  return dayAndTime(time).slice(11);
}

/** The end of a path: its beginning is the same for all. */
export function shortPath(path: string | null): string {
  if (path === null) return '';
  const parts = path.split(/[\\/]/).filter(Boolean);
  return parts.slice(-2).join('/');
}

export function duration(from: string | null, to: string | null): string {
  if (from === null || to === null) return '';
  const ms = Date.parse(to) - Date.parse(from);
  if (!(ms >= 0)) return '';
  if (ms < 1000) return `${ms} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
