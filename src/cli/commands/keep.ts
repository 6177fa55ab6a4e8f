import {
  counted,
  type FoundFamily,
  type Keeper,
  type KeepResult,
  keeperIn,
  openHome,
  size,
  sources,
} from '../../index.ts';
import { chooseMany, type FilterOptions } from '../choose.ts';
import { fail } from '../failure.ts';
import { now } from '../now.ts';
import { orEmpty } from '../or-empty.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { keptFolder } from '../places.ts';
import { progress } from '../progress.ts';

interface KeepFlags extends FilterOptions {
  auto?: boolean;
  json?: boolean;
}

/** Copies the files of sessions into the data folder. What was kept already, and has not changed, is not read again. */
export async function keep(ids: string[], flags: KeepFlags): Promise<void> {
  if (flags.auto === true) {
    if (flags.json === true) fail('--auto tells a person what to set up: it has no --json.');
    writeAll([automatic()]);
    return;
  }
  if (flags.sample === true) fail('The samples come with Palimpsest: there is no need to keep them.');
  const folder = keptFolder(process.env);
  const value = () => ({ folder, sessions: 0, ...noResult() });
  await orEmpty({ ...flags, kind: 'keep', value }, () => copy(ids, flags, folder));
}

function copy(ids: string[], flags: KeepFlags, folder: string): void {
  const families = [...new Set(chooseMany(ids, flags).map(({ family }) => inItsHome(family)))];
  const keeper = openKeeper(folder);
  const shown = progress(
    'keeping',
    families.reduce((sum, family) => sum + family.bytes, 0),
  );
  const total = noResult();
  const seen = new Set<string>();
  try {
    for (const family of families) {
      const files = family.nativeFiles().filter(({ absolute }) => !seen.has(absolute));
      for (const { absolute } of files) seen.add(absolute);
      add(total, keeper.keep(files));
      shown.add(family.bytes);
    }
  } finally {
    keeper.close();
  }
  shown.end();
  for (const { path, message } of total.troubles) say(`Cannot keep ${path}: ${message}`);
  if (flags.json === true) writeJson('keep', { folder, sessions: families.length, ...total });
  else writeAll([told(total, families.length, folder)]);
  if (total.troubles.length > 0) process.exitCode = 1;
}

/** What was given by its path is kept as the home knows it: so it is found there when the agent has deleted it. */
function inItsHome(family: FoundFamily): FoundFamily {
  const { agent, agentFolder, id, isAlone } = family;
  if (agentFolder === null)
    fail(
      `The file of ${id} lies where its agent does not look: no agent deletes it, and no home would show what was kept of it.`,
    );
  if (!isAlone) return family;
  const { families } = openHome({ homes: [], moved: { [agent]: agentFolder } });
  return families.find((candidate) => candidate.id === id) ?? family;
}

function noResult(): KeepResult {
  return { kept: 0, unchanged: 0, bytes: 0, packed_bytes: 0, troubles: [] };
}

function openKeeper(folder: string): Keeper {
  try {
    return keeperIn(folder, new Date(now()).toISOString());
  } catch (error) {
    fail(
      `Cannot write in ${folder}: ${(error as Error).message}.\nName another folder: PALIMPSEST_DATA=/path pal keep`,
    );
  }
}

function add(total: KeepResult, one: KeepResult): void {
  total.kept += one.kept;
  total.unchanged += one.unchanged;
  total.bytes += one.bytes;
  total.packed_bytes += one.packed_bytes;
  total.troubles.push(...one.troubles);
}

function told(
  { kept, unchanged, bytes, packed_bytes, troubles }: KeepResult,
  sessions: number,
  folder: string,
): string {
  const before =
    unchanged === 0 ? '' : ` ${counted(unchanged, 'file')} ${unchanged === 1 ? 'was' : 'were'} kept already.`;
  const failed = troubles.length === 0 ? '' : ` ${counted(troubles.length, 'file')} could not be kept.`;
  if (kept === 0) return `Nothing new in ${counted(sessions, 'session')}.${before}${failed}\n`;
  return `Kept ${counted(kept, 'file')} of ${counted(sessions, 'session')}: ${size(bytes)}, packed ${size(packed_bytes)}.${before}${failed}\nThey lie in ${folder}, readable by you alone.\n`;
}

/** How to have it done by itself. */
function automatic(): string {
  const hooks = sources.flatMap((source) => {
    const hook = source.hookFor('pal keep');
    return hook === null ? [] : [`After every session of ${source.label}, by a hook ${hook}\n\n`];
  });
  return `Every hour, by cron ("crontab -e"):

  17 * * * *  pal keep >/dev/null

${hooks.join('')}What was kept already, and has not changed, is not read again.
`;
}
