// The whole terminal for a while: what stood on it comes back.

import { emitKeypressEvents } from 'node:readline';

/** A key as the terminal tells it. */
export interface PressedKey {
  text: string | undefined;
  name: string | undefined;
  ctrl: boolean;
}

interface OtherScreen {
  /** All lines, from the top. */
  show(lines: string[]): void;
  leave(): void;
}

/** Takes the terminal until it is left. `resized` is to show the lines anew. */
export function otherScreen(on: { press: (key: PressedKey) => void; resized: () => void }): OtherScreen {
  const { stdin, stdout } = process;
  const press = (text: string | undefined, key: { name?: string; ctrl?: boolean } | undefined) =>
    on.press({ text, name: key?.name, ctrl: key?.ctrl === true });
  const restore = () => {
    stdout.write('\u001b[?25h\u001b[?1049l');
  };
  const killed = (signal: NodeJS.Signals) => {
    restore();
    process.exit(signal === 'SIGHUP' ? 129 : 143);
  };
  // The other screen, no cursor.
  stdout.write('\u001b[?1049h\u001b[?25l');
  emitKeypressEvents(stdin, undefined);
  stdin.setRawMode(true);
  stdin.on('keypress', press);
  stdout.on('resize', on.resized);
  stdin.resume();
  process.on('SIGTERM', killed);
  process.on('SIGHUP', killed);
  return {
    show: (lines) => {
      stdout.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`);
    },
    leave: () => {
      stdin.off('keypress', press);
      stdout.off('resize', on.resized);
      stdin.setRawMode(false);
      stdin.pause();
      process.off('SIGTERM', killed);
      process.off('SIGHUP', killed);
      restore();
    },
  };
}
