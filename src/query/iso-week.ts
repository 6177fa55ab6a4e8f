import { two, yearText } from '../schema/local-day.ts';

const DAY = 86_400_000;

/** 2026-11-15 → 2026-W46. Weeks begin on Monday; the one that holds the year's first Thursday is the year's first. */
export function weekOf(day: string): string {
  const noon = Date.parse(`${day}T12:00Z`);
  const weekday = (new Date(noon).getUTCDay() + 6) % 7;
  const thursday = new Date(noon + (3 - weekday) * DAY);
  const year = yearText(thursday.getUTCFullYear());
  const week = Math.floor((thursday.getTime() - Date.parse(`${year}-01-01T00:00Z`)) / DAY / 7) + 1;
  return `${year}-W${two(week)}`;
}
