import { dataFolder } from './data-folder.ts';

keepCompiled();
quietAboutSqlite();
const { run, version } = await import('./main.ts');

process.exitCode = await run(version(), process.argv.slice(2));

/**
 * What V8 makes of the program is kept beside the index, in a folder to which nobody but the user can write: that spares a tenth of a short command.
 * Where there is no such folder yet none is made. Node itself sees to it that only what fits this program is used, and that a folder that
 * cannot be written to is no trouble.
 */
function keepCompiled(): void {
  const folder = dataFolder(process.env);
  if (isOurs(folder)) process.getBuiltinModule('node:module').enableCompileCache(`${folder}/compiled`);
}

/** Code is taken only from where nobody else could have put it. */
function isOurs(folder: string): boolean {
  try {
    const { mode, uid } = process.getBuiltinModule('node:fs').statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}

/** Node 22 calls SQLite experimental with every command. It has what we need of it; other warnings are told. */
function quietAboutSqlite(): void {
  const emit = process.emitWarning.bind(process) as (...values: unknown[]) => void;
  process.emitWarning = (...values: unknown[]): void => {
    if (!String(values[0]).startsWith('SQLite is an experimental feature')) emit(...values);
  };
}
