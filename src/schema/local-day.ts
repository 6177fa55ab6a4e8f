// Days as a person here counts them, written so that they can be read back.

export function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** 2026-11-15 */
export function localDay(date: Date): string {
  return `${yearText(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Years of other than four digits have a sign and six of them, else no date can be made of them again. */
export function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}
