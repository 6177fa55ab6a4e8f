// Options that several commands have, and how their help is written.

import { Argument, type Command, Option } from 'commander';
import { AGENTS, EVENT_KINDS } from '../schema/words.ts';
import { collected, kinds } from './option-values.ts';

export function idArgument(): Argument {
  return new Argument(
    '[id]',
    'id, unique prefix, title, last, last~2, last:codex, or a path; where not\ngiven: the newest session of the current folder (show, clone and resume\nlet you choose on a terminal)',
  );
}

export function withPlaces(command: Command, counts?: Counts): Command {
  return withFilters(command, counts).option('--json', 'JSON for programs, versioned');
}

export function withHomes(command: Command): Command {
  return command.option(
    '--home <dir>',
    'home folder to read in place of yours (can be given several times)',
    collected,
  );
}

export function withStore(command: Command): Command {
  return command.option('--store <dir>', 'folder of the index, in place of the one in your data folder');
}

/** What --since and --until choose. */
type Counts = 'sessions' | 'events' | 'messages' | 'requests';

const SINCE: Record<Counts, string> = {
  sessions: 'only sessions used since then',
  events: 'only what happened since then',
  messages: 'only what was said since then',
  requests: 'only requests made on that day or later',
};
const UNTIL: Record<Counts, string> = {
  sessions: 'only sessions begun before then',
  events: 'only what happened before then',
  messages: 'only what was said before then',
  requests: 'only requests made before that day',
};

export function withFilters(command: Command, counts: Counts = 'sessions'): Command {
  return withHomes(command)
    .addOption(new Option('--agent <agent>', 'only this agent').choices([...AGENTS]))
    .option('--project <folder>', 'only sessions of this project')
    .option('--since <date>', `${SINCE[counts]} (2026-11-01, or 7d)`)
    .option('--until <date>', UNTIL[counts])
    .addOption(sampleOption());
}

export function sampleOption(): Option {
  return new Option('--sample', 'the sessions that come with Palimpsest').conflicts('home');
}

/** Its parser collects; the choices are for the help and for completion. */
export function kindOption(flags: string, description: string): Option {
  return Object.assign(new Option(flags, description).argParser(kinds), { argChoices: [...EVENT_KINDS] });
}

export function examples(lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
