import type { Command, Option } from 'commander';
import { ago, openHome, plain } from '../../index.ts';
import { filtered, newestFirst } from '../choose.ts';
import { listed } from '../listed.ts';
import { now } from '../now.ts';
import { writeAll } from '../output.ts';
import { placesFrom } from '../places.ts';
import { shortId } from '../short-id.ts';

interface Candidate {
  word: string;
  about: string;
}

/** What fits at the end of a command line, for the scripts of `completion`. Never says that something is wrong. */
export function complete(words: string[], pal: Command): void {
  const found = candidates(words, pal);
  writeAll(found.map(({ word, about }) => `${word}\t${plain(about, 80)}\n`));
}

function candidates(words: string[], pal: Command): Candidate[] {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = pal.commands.find((candidate) => candidate.name() === before[0]);
  if (command === undefined) {
    const commands = visible(pal).map((known) => ({ word: known.name(), about: known.description() }));
    return fitting(before.length === 0 ? [...commands, ...flagsOf(pal)] : [], last);
  }
  const option = command.options.find((known) => known.long === before.at(-1) || known.short === before.at(-1));
  if (option !== undefined && (option.required || option.optional)) return fitting(valuesOf(option), last);
  if (last.startsWith('-')) return fitting(flagsOf(command), last);
  if (command.name() === 'completion') return fitting(['bash', 'zsh', 'fish'].map(named), last);
  const takesId = command.registeredArguments.some((argument) => /^id/.test(argument.name()));
  return takesId ? sessions(last, before) : [];
}

function visible(pal: Command): Command[] {
  return pal.createHelp().visibleCommands(pal);
}

function flagsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }));
}

function valuesOf(option: Option): Candidate[] {
  return (option.argChoices ?? []).map(named);
}

function named(word: string): Candidate {
  return { word, about: '' };
}

function fitting(all: Candidate[], begun: string): Candidate[] {
  return all.filter(({ word }) => word.startsWith(begun));
}

/** Nobody waits for a completion. */
const LONGEST_MS = 700;
const LARGEST_BYTES = 16 * 1024 * 1024;
const MOST = 40;

/** Ids that begin so; where there is none, titles that do. */
function sessions(begun: string, before: string[]): Candidate[] {
  const started = performance.now();
  const homes = before.flatMap((word, i) => (before[i - 1] === '--home' ? [word] : []));
  const places = placesFrom(
    { ...(homes.length > 0 ? { home: homes } : {}), sample: before.includes('--sample') },
    process.env,
  );
  const families = filtered(openHome(places).families, {});
  const mine = families.filter(({ id }) => id.startsWith(begun));
  const found: Candidate[] = fitting([{ word: 'last', about: 'the newest session' }], begun);
  for (const family of newestFirst(mine.length > 0 ? mine : families).take(MOST)) {
    if (performance.now() - started > LONGEST_MS || family.bytes > LARGEST_BYTES) {
      // What is in it is not known without reading it, its id is.
      if (mine.length > 0) found.push(named(wordFor(family.id, begun)));
      continue;
    }
    const [session] = listed(family, {});
    const title = session?.title ?? '(no title)';
    const age = `${ago(session?.ended_at ?? null, now())} ago`;
    if (mine.length > 0) found.push({ word: wordFor(family.id, begun), about: `${title}, ${age}` });
    else if (title.toLowerCase().startsWith(begun.toLowerCase())) found.push({ word: plain(title, 500), about: age });
  }
  return found;
}

function wordFor(id: string, begun: string): string {
  return begun.length > shortId(id).length ? id : shortId(id);
}
