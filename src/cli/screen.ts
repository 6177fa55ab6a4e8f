// What the terminal can show: its width, and whether colours are wanted.

import { isatty } from 'node:tty';
import { type Paint, painter } from '../shown.ts';

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
  const isTerminal = isatty(1);
  const columns = process.stdout.columns || Number(environment.COLUMNS) || null;
  return {
    width: Math.max(24, columns ?? WIDTH_OF_A_PIPE),
    room: Math.max(24, columns ?? Number.POSITIVE_INFINITY),
    rows: process.stdout.rows || 24,
    isTerminal,
    paint: painter({ colour: wantsColour(isTerminal, environment) }),
  };
}

/** NO_COLOR and FORCE_COLOR as everywhere else; otherwise colours are for terminals. */
function wantsColour(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0';
  return isTerminal && environment.TERM !== 'dumb';
}
