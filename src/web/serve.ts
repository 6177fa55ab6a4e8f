// The viewer's server: on this machine only, unless somebody says otherwise.

import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { app } from './app.ts';
import { startLibrary } from './ask.ts';
import { builtAssets } from './assets.ts';
import type { LibraryOptions } from './library.ts';

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
  const name = host.includes(':') ? `[${host}]` : host;
  for (const known of [name, ...(isLocal(host) ? ['localhost', '127.0.0.1'] : [])]) hosts.add(`${known}:${bound}`);
  return {
    url: `http://${name}:${bound}/?token=${secret}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await library.close();
    },
  };
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
