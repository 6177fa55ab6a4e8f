// The page as it was built: read once, at the start.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Asset {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** By their addresses; `/` is the page itself. */
export function builtAssets(): Map<string, Asset> {
  // From the sources and from the bundle alike: both lie two folders below the package.
  const folder = fileURLToPath(new URL('../../dist/web-page', import.meta.url));
  if (!existsSync(folder)) throw new Error(`The page is not built: ${folder} is missing. Run "npm run build".`);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const address = `/${relative(folder, path).split(sep).join('/')}`;
      const type = TYPES[extname(path)] ?? 'application/octet-stream';
      return [address === '/index.html' ? '/' : address, { type, bytes: new Uint8Array(readFileSync(path)) }];
    }),
  );
}
