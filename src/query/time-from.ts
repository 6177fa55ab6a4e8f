/**
 * A time as a person gives it: a date such as 2026-11-01, with a time of day or without, or a number of days before now such
 * as 7d. A day begins when it begins here: times are shown so, too. In milliseconds since 1970; undefined for anything else.
 */
export function timeFrom(text: string, now: number): number | undefined {
  const days = /^(\d+)d$/.exec(text)?.[1];
  const isDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:.*)?$/.test(text) && isDay(text.slice(0, 10));
  if (days === undefined && !isDate) return undefined;
  const time =
    days === undefined ? Date.parse(text.length === 10 ? `${text}T00:00` : text) : now - Number(days) * 86_400_000;
  return Number.isNaN(new Date(time).getTime()) ? undefined : time;
}

/** `Date` takes the 30th of February for a day in March. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
