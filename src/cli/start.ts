import { dataFolder } from './data-folder.ts';

keepCompiled();
const { run, version } = await import('./main.ts');

process.exitCode = await run(version(), process.argv.slice(2));

/**
 * What V8 makes of the program is kept beside the index, in a folder of the user's own: that spares a tenth of a short command.
 * Where there is no such folder yet none is made. Node itself sees to it that only what fits this program is used, and that a folder that
 * cannot be written to is no trouble.
 */
function keepCompiled(): void {
  const folder = dataFolder(process.env);
  if (!process.getBuiltinModule('node:fs').existsSync(folder)) return;
  process.getBuiltinModule('node:module').enableCompileCache(`${folder}/compiled`);
}
