// Columns that fit the terminal: one of them takes the room that the others leave.

import { cut, cutStart, fit, type Tone, widthOf } from '../shown.ts';
import type { Screen } from './screen.ts';

export interface Column<Row> {
  name: string;
  /** Stands above it where there is not enough room for the name. */
  short?: string;
  text: (row: Row) => string;
  tone?: Tone | ((row: Row) => Tone | undefined);
  /** Numbers stand at the right. */
  right?: boolean;
  /** Gives way when there is not enough room: the first of these shrinks, and takes what is left over. */
  flexible?: boolean;
  /** Left out on terminals narrower than this. */
  from?: number;
  /** At most so many columns. */
  most?: number;
  /** The end tells more than the beginning. */
  cutStart?: boolean;
}

/** A heading, which other programs do not need, and a line for each row. */
export function tableLines<Row>(rows: Row[], columns: Column<Row>[], view: Screen): string[] {
  const wanted = columns.filter(({ from }) => from === undefined || view.room >= from);
  const isTight = naturalWidths(rows, wanted, view).reduce((sum, width) => sum + width + 2, -2) > view.room;
  const shown = isTight ? wanted.map((column) => ({ ...column, name: column.short ?? column.name })) : wanted;
  const widths = widthsOf(rows, shown, view);
  const line = (cells: string[], tones: (Tone | undefined)[]) =>
    cells
      .map((cell, i) => paintedCell(cell, widths[i] ?? 0, shown[i], tones[i], view))
      .join('  ')
      .trimEnd();
  const heading = line(
    shown.map(({ name }) => name),
    shown.map(() => 'dim'),
  );
  return [
    ...(view.isTerminal ? [heading] : []),
    ...rows.map((row) =>
      line(
        shown.map(({ text }) => text(row)),
        shown.map(({ tone }) => (typeof tone === 'function' ? tone(row) : tone)),
      ),
    ),
  ];
}

function naturalWidths<Row>(rows: Row[], columns: Column<Row>[], { room, isTerminal }: Screen): number[] {
  return columns.map(({ name, text, most }) =>
    Math.min(
      isTerminal ? (most ?? room) : room,
      Math.max(isTerminal ? widthOf(name) : 0, ...rows.map((row) => widthOf(text(row)))),
    ),
  );
}

function widthsOf<Row>(rows: Row[], columns: Column<Row>[], view: Screen): number[] {
  const natural = naturalWidths(rows, columns, view);
  const { room } = view;
  const taken = natural.reduce((sum, width) => sum + width + 2, -2);
  const flexible = columns.findIndex((column) => column.flexible === true);
  const width = natural[flexible];
  if (width !== undefined && taken > room) natural[flexible] = Math.max(4, width - (taken - room));
  return natural;
}

function paintedCell<Row>(
  text: string,
  width: number,
  column: Column<Row> | undefined,
  tone: Tone | undefined,
  { paint }: Screen,
): string {
  const short = column?.cutStart === true ? cutStart(text, width) : cut(text, width);
  const filled =
    column?.right === true ? `${' '.repeat(Math.max(0, width - widthOf(short)))}${short}` : fit(short, width);
  return tone === undefined ? filled : paint(tone, filled);
}
