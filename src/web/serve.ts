// The viewer's server: on this machine only, unless somebody says otherwise.

import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import { app } from './app.ts';
import { startLibrary } from './ask.ts';
import { builtAssets } from './assets.ts';
import type { LibraryOptions } from './upkeep.ts';

export interface ServeOptions {
  library: LibraryOptions;
  /** An address of this machine. */
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** Made up where not given. */
  token?: string;
  onTrouble: (message: string) => void;
}

export interface Serving {
  /** With the token: whoever has it can read every session. */
  url: string;
  close(): Promise<void>;
}

export async function serve({ library: options, host, port, token, onTrouble }: ServeOptions): Promise<Serving> {
  const secret = token ?? randomBytes(24).toString('base64url');
  const assets = builtAssets();
  const hosts = new Set<string>();
  const library = await startLibrary(options, onTrouble);
  // Several may run at once: browsers share cookies between the ports of a machine.
  const cookie = `palimpsest_${randomBytes(6).toString('hex')}`;
  const { fetch } = app({ library, assets, token: secret, hosts, cookie });
  const server = createAdaptorServer({ fetch }) as Server;
  const bound = await listening(server, host, port).catch(async (error: unknown) => {
    await library.close();
    throw error;
  });
  const names = namesOf(host);
  for (const name of names) {
    hosts.add(`${name}:${bound}`);
    // Browsers leave out the port that is meant anyhow.
    if (bound === 80) hosts.add(name);
  }
  return {
    url: `http://${names[0]}:${bound}/?token=${secret}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await library.close();
    },
  };
}

/** The names by which it can be asked; the first one is printed. */
function namesOf(host: string): string[] {
  const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address.toLowerCase());
  if (isLocal(host)) return [bracketed(host), 'localhost', '127.0.0.1'];
  if (host !== '0.0.0.0' && host !== '::') return [bracketed(host)];
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = all.filter(({ internal, family }) => !internal && family === 'IPv4');
  return [...outside, ...all].map(({ address }) => bracketed(address)).concat('localhost');
}

export function isLocal(host: string): boolean {
  return host === '127.0.0.1' || host === 'localhost' || host === '::1';
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
