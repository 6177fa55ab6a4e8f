/**
 * A time as a person gives it: a date such as 2026-11-01, with a time of day or without, or a number of days before now such
 * as 7d. A day begins when it begins here: times are shown so, too. In milliseconds since 1970; undefined for anything else.
 */
export function timeFrom(text: string, now: number): number | undefined {
  const days = /^(\d+)d$/.exec(text)?.[1];
  const isDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:.*)?$/.test(text);
  if (days === undefined && !isDate) return undefined;
  const time =
    days === undefined ? Date.parse(text.length === 10 ? `${text}T00:00` : text) : now - Number(days) * 86_400_000;
  return Number.isNaN(new Date(time).getTime()) ? undefined : time;
}
