// Compiles src/store/words, which is AssemblyScript, into src/store/words-code.ts.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));

/** 64 KB each: as many as come before KEPT in words/memory.ts, and the most that there may ever be. */
const PAGES = { initial: 640, maximum: 8192 };

/** What words-code.ts must hold. */
export async function compiledWords(): Promise<string> {
  let code: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    [
      ...['src/store/words/index.ts', '--baseDir', root, '--outFile', 'words.wasm', '-O3'],
      // Nothing is allocated, nothing is asserted.
      ...['--runtime', 'stub', '--noAssert', '--use', 'abort='],
      ...['--initialMemory', String(PAGES.initial), '--maximumMemory', String(PAGES.maximum)],
    ],
    {
      writeFile: (_, contents) => {
        code = typeof contents === 'string' ? Buffer.from(contents) : contents;
      },
    },
  );
  if (error !== null || code === undefined) throw new Error(`${error?.message}\n${stderr.toString()}`);
  return [
    '// Made from words/ by scripts/compile-words.ts.',
    '',
    'export const WORDS_CODE =',
    `  '${Buffer.from(code).toString('base64')}';`,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(`${root}src/store/words-code.ts`, await compiledWords());
