// Figures and times as people read them.

export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${round(count / 1000)}k` : `${round(count / 1_000_000)}M`;
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '');
}

export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}

export function ago(time: string | null, now: number): string {
  if (time === null) return '';
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000);
  if (Number.isNaN(seconds)) return '';
  const steps: [number, string][] = [
    [60, 's'],
    [60, 'min'],
    [24, 'h'],
    [7, 'd'],
    [4.35, 'w'],
    [12, 'mo'],
  ];
  let value = seconds;
  for (const [length, unit] of steps) {
    if (value < length) return `${Math.floor(value)} ${unit}`;
    value /= length;
  }
  return `${Math.floor(value)} y`;
}

export function dayAndTime(time: string | number | null): string {
  if (time === null || time === 0) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
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
