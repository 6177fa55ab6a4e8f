// What the terminal can show: its width, and whether colours are wanted.

import { type Paint, painter } from '../shown.ts';
import { isTerminal } from './terminal.ts';

export interface Screen {
  /** For text that is broken into lines. */
  width: number;
  /** For lines that are cut where they do not fit: in a pipe nothing is cut. */
  room: number;
  rows: number;
  isTerminal: boolean;
  paint: Paint;
}

const WIDTH_OF_A_PIPE = 100;

export function screen(environment: NodeJS.ProcessEnv = process.env): Screen {
  const isShown = isTerminal(1);
  // Only a terminal has a size. For anything else the stream is not even made: that takes a few milliseconds.
  const { columns: told, rows } = isShown ? process.stdout : { columns: 0, rows: 0 };
  const columns = told || Number(environment.COLUMNS) || null;
  return {
    width: Math.max(24, columns ?? WIDTH_OF_A_PIPE),
    room: Math.max(24, columns ?? Number.POSITIVE_INFINITY),
    rows: rows || 24,
    isTerminal: isShown,
    paint: painter({ colour: wantsColour(isShown, environment) }),
  };
}

/** NO_COLOR and FORCE_COLOR as everywhere else; otherwise colours are for terminals. */
function wantsColour(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0';
  return isTerminal && environment.TERM !== 'dumb';
}
