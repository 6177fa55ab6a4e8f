// A bar of block characters, to an eighth of a column.

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A part of a whole that would be so many columns wide. What is not nothing has a bar, however thin. */
export function bar(part: number, whole: number, columns: number): string {
  if (!(part > 0) || !(whole > 0)) return '';
  const eighths = Math.max(1, Math.round((Math.min(part, whole) / whole) * columns * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
