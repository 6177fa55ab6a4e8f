import { type FoundFamily, openHome } from '../../index.ts';
import { emptyHomeMessage, type FilterOptions, filtered, newestFirst, sampleHome, sayTrouble } from '../choose.ts';
import { fail } from '../failure.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { missingHomes, placesFrom } from '../places.ts';
import { screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { rows, sessionLines } from './ls.ts';

interface OverviewFlags extends FilterOptions {
  json?: boolean;
}

const SHOWN = 10;

/** What is there, the newest sessions, and the next commands. Without any session: the samples, and it says so. */
export function overview(words: string[], flags: OverviewFlags): void {
  const [word] = words;
  if (word !== undefined)
    fail(
      `There is no command "${word}", or it stands behind an option: the command comes first.\n"palimpsest --help" shows what there is.`,
    );
  const places = placesFrom(flags, process.env);
  if (flags.home !== undefined) for (const missing of missingHomes(places)) fail(`There is no folder ${missing}.`);
  const own = openHome(places);
  sayTrouble(own);
  const isEmpty = own.families.length === 0;
  const families = isEmpty ? sampleHome().families : filtered(own.families, flags);
  if (families.length === 0) fail('No session fits --agent, --project, --since and --until together.');
  const newest = [...newestFirst(families).take(SHOWN)];
  if (flags.json === true) {
    writeJson('overview', {
      sample: isEmpty || flags.sample === true,
      sessions: families.length,
      bytes: bytesOf(families),
      newest: [...rows(newest.slice(0, SHOWN), {})],
    });
    return;
  }
  if (isEmpty) say(`${emptyHomeMessage(flags)}\n\nThese are sample sessions that come with Palimpsest:\n`);
  const option = isEmpty || flags.sample === true ? ' --sample' : '';
  writeAll([
    summary(families),
    ...sessionLines([...rows(newest.slice(0, SHOWN), {})], screen(), {}),
    next(newest[0], option),
  ]);
}

function summary(families: FoundFamily[]): string {
  const counts = new Map<string, number>();
  for (const { agent } of families) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  const agents = [...counts].map(([agent, count]) => `${agent} ${count}`).join(' · ');
  return `${agents} sessions, ${(bytesOf(families) / 1e6).toFixed(1)} MB\n\n`;
}

function bytesOf(families: FoundFamily[]): number {
  return families.reduce((sum, family) => sum + family.bytes, 0);
}

function next(family: FoundFamily | undefined, option: string): string {
  if (family === undefined) return '';
  const id = shortId(family.id);
  const commands = [
    [`pal show ${id}${option}`, 'read it, events in place'],
    [`pal events${option}`, 'everything refused, stopped, compacted, cleared'],
    [`pal context ${id}${option}`, 'what the model saw'],
    [`pal export${option} > history.ndjson`, 'the unified documents'],
  ];
  return `\n${commands.map(([command, does]) => `  ${command?.padEnd(36)} ${does}`).join('\n')}\n`;
}
