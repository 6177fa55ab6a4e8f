import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type HomePlaces, openHome } from '../../index.ts';
import { isLocal, type Serving, serve as startServer } from '../../web/serve.ts';
import { checkedPlaces, type FilterOptions } from '../choose.ts';
import { fail } from '../failure.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { samplePlaces, storeFolder } from '../places.ts';

interface ServeFlags extends Pick<FilterOptions, 'home' | 'sample'> {
  host: string;
  port: number;
  open?: boolean;
  index: boolean;
  store?: string;
  json?: boolean;
}

/** The viewer, until somebody ends it. */
export async function serve(flags: ServeFlags): Promise<void> {
  const own = flags.sample === true ? null : checkedPlaces(flags);
  const places = own === null || openHome(own).families.length === 0 ? samplePlaces() : own;
  const serving = await started(flags, places, { isSample: places !== own });
  if (flags.json === true) writeJson('serving', { url: serving.url });
  else writeAll([`Palimpsest is at ${serving.url}\n`]);
  if (own !== null && places !== own)
    say(`There is no session in ${own.homes.join(', ')}: these are samples that come with Palimpsest.`);
  if (!isLocal(flags.host))
    say(
      'Everybody who can reach this address and has the token can read every session. Nothing is encrypted on the way.',
    );
  say('Ctrl-C ends it.');
  if (flags.open === true) open(serving.url);
  await ended();
  await serving.close();
}

async function started(flags: ServeFlags, places: HomePlaces, { isSample }: { isSample: boolean }): Promise<Serving> {
  const { host, port } = flags;
  const library = {
    places,
    isSample,
    store: isSample ? null : storeFolder(flags, process.env),
    index: flags.index,
    // With one, sessions would be read in the thread that answers.
    threads: Math.max(2, Math.min(4, availableParallelism())),
  };
  try {
    return await startServer({ library, host, port, onTrouble: say });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is taken. Give another one with --port, or none: then a free one is taken.`,
      EACCES: `Port ${port} may not be used. Give one above 1023 with --port.`,
      EADDRNOTAVAIL: `${host} is no address of this machine.`,
      ENOTFOUND: `${host} is no address of this machine.`,
    };
    return fail(reasons[code ?? ''] ?? message);
  }
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** Where somebody sits before the machine: not in a build, and not at the other end of a line. */
function open(url: string): void {
  const { CI, SSH_CONNECTION, SSH_TTY, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasScreen = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
  if (CI || SSH_CONNECTION || SSH_TTY || !hasScreen) {
    say('No browser was opened: there is no screen here.');
    return;
  }
  const commands: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ['open', url],
    win32: ['cmd', '/c', 'start', '', url],
  };
  const [command, ...args] = commands[process.platform] ?? ['xdg-open', url];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => say(`No browser could be opened (${command} failed). Open the address by hand.`));
  child.unref();
}
