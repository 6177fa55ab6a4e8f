// What the person said with a command of the client's, such as `/fix-issue the login page`.

import { plainText } from './summary-sentences.ts';

interface SaidCommand {
  name: string;
  /** What was given to it, or ''. */
  given: string;
}

// Clients write a command down in tags: its name and a line to be shown, in either order, then what was given to it.
const PART = /\s*<([a-z][\w-]*)>([\s\S]*?)<\/\1>/gy;
const NAME = /^\/?([^\s/<>]+)$/;

/** What a command was and what it was given; undefined of what it printed: nobody said that. */
export function saidCommand(text: string): SaidCommand | undefined {
  const [first = '', second = '', given = ''] = [...text.matchAll(PART)].map(([, , part = '']) => part.trim());
  const name = nameBeside(second, first) ?? nameBeside(first, second);
  return name === undefined ? undefined : { name: `/${name}`, given: plainText(given) };
}

/** A name, if the line that is shown has it, or the last part of it: `plan is running…` for `/team:plan`. */
function nameBeside(part: string, line: string): string | undefined {
  const name = NAME.exec(part)?.[1];
  const last = name?.split(':').at(-1) ?? '';
  return last !== '' && line.includes(last) ? name : undefined;
}
