// Preloaded: tells at the end, on a line of its own, which files of the program were loaded, and which of Node's modules since it began.

import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

const files: string[] = [];
registerHooks({
  load: (url, context, next) => {
    files.push(url);
    return next(url, context);
  },
});
const loaded = (): string[] => (process as unknown as { moduleLoadList: string[] }).moduleLoadList;
const before = new Set(loaded());
process.on('exit', () => {
  const own = loaded().filter((name) => name.startsWith('NativeModule ') && !before.has(name));
  writeSync(2, `${JSON.stringify({ files, modules: own.map((name) => name.slice('NativeModule '.length)) })}\n`);
});
