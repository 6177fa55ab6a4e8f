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
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
