import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { AGENTS, EVENT_KINDS, type EventKind } from '../schema/words.ts';
import { fail, UserError } from './failure.ts';
import { nearest } from './near.ts';

/** Builds the command line. Each command's code is loaded only when it runs. */
export function program(version: string): Command {
  const pal = new Command('palimpsest')
    .description(
      'Reads every layer of the histories that AI coding agents leave on disk: what was said, what the model could still see, what was taken away, and what you said no to.',
    )
    .version(version)
    .showHelpAfterError('("palimpsest --help" shows what there is)')
    .configureHelp({ sortSubcommands: false })
    .enablePositionalOptions();

  withPlaces(pal.command('overview', { isDefault: true, hidden: false }))
    .description('what is in your history, and where to go from there (also without any command)')
    .addHelpText('after', examples(['pal', 'pal --sample', 'pal --home /mnt/old-laptop']))
    .addArgument(new Argument('[words...]').default([], 'none').argOptional())
    .action(async (words: string[], options) => {
      const [word] = words;
      if (word !== undefined) fail(noSuchCommand(word, pal));
      return (await import('./commands/overview.ts')).overview(options);
    });

  withPlaces(pal.command('ls'))
    .description('sessions, newest first; subagents, clears, forks and clones folded')
    .option('--flat', 'subagents, and the earlier sessions of a thread, as rows of their own')
    .addOption(kindOption('--event <kind>', 'only sessions in which this happened (can be given several times)'))
    .option('--model <name>', 'only sessions with a model that has this in its name')
    .option('-n, --limit <count>', 'no more than the newest (on a terminal 40 where not given, else all)', wholeNumber)
    .addHelpText(
      'after',
      examples(['pal ls', 'pal ls --project ~/src/shop --since 7d', 'pal ls --event rejection', 'pal ls --json']),
    )
    .action(async (options) => (await import('./commands/ls.ts')).ls(options));

  withPlaces(pal.command('show'))
    .description('the transcript, events in place')
    .addArgument(idArgument())
    .addOption(
      new Option('--layers <which>', 'only what the model could still see at the end, or everything')
        .choices(['live', 'all'])
        .default('all'),
    )
    .option('--at <message>', 'what the model saw at this message (index or id)')
    .addOption(
      new Option('--tools <how>', 'tool calls and results').choices(['none', 'short', 'full']).default('short'),
    )
    .option('--thinking', "the model's thinking too")
    .option('--meta', 'what the client put in: environment, reminders, command output')
    .option('--follow', 'go on with the sessions that began when the context was cleared')
    .option('--subagents', 'what subagents did, below the calls that started them')
    .option('--no-pager', 'all at once, also on a terminal')
    .addHelpText(
      'after',
      examples(['pal show last', 'pal show 1a34 --layers live', 'pal show 1a34 --at 40 --tools full']),
    )
    .action(async (id, options) => (await import('./commands/show.ts')).show(id, options));

  withPlaces(pal.command('events'))
    .description('every compaction, clear, interruption, rejection, rewind, denial and failure')
    .addArgument(new Argument('[id...]', 'sessions; all where none is given').default([]))
    .addOption(kindOption('--kind <kind>', 'only this kind (can be given several times)'))
    .addOption(
      new Option('--by <what>', 'how many of each, most first').choices([
        'tool',
        'project',
        'reason',
        'day',
        'kind',
        'agent',
      ]),
    )
    .option('--diff', 'refused edits with their diff')
    .option('--no-pager', 'all at once, also on a terminal')
    .addHelpText(
      'after',
      examples([
        'pal events',
        'pal events last --kind rejection --diff',
        'pal events --kind rejection --by tool',
        "pal events --json | jq '.value[].kind'",
      ]),
    )
    .action(async (ids, options) => (await import('./commands/events.ts')).events(ids, options));

  withPlaces(pal.command('context'))
    .description('what the model saw')
    .addArgument(idArgument())
    .option('--at <message>', 'at this message (index or id); at the end where not given')
    .option('--no-pager', 'all at once, also on a terminal')
    .addHelpText('after', examples(['pal context last', 'pal context 1a34 --at 40', 'pal context 1a34 --at 40 --json']))
    .action(async (id, options) => (await import('./commands/context.ts')).context(id, options));

  withPlaces(pal.command('stats'))
    .description('what is in it, counted: tools, models, blocks, rows, and what we do not know')
    .addArgument(new Argument('[id...]', 'sessions; all where none is given').default([]))
    .option('--no-pager', 'all at once, also on a terminal')
    .addHelpText('after', examples(['pal stats', 'pal stats last', 'pal stats --since 30d --json']))
    .action(async (ids, options) => (await import('./commands/stats.ts')).stats(ids, options));

  withFilters(pal.command('export'))
    .description('unified documents')
    .addArgument(
      new Argument('[id-or-path...]', 'sessions, files or folders; the whole history where none is given').default([]),
    )
    .addOption(
      new Option('--format <format>', 'one session a line, or one thing a line')
        .choices(['ndjson', 'records'])
        .default('ndjson'),
    )
    .option('--raw', 'the native row in every record')
    .addOption(new Option('--json').hideHelp()) // it is JSON anyway
    .addHelpText(
      'after',
      examples([
        'pal export > history.ndjson',
        'pal export last --format records | head',
        'pal export ./session.jsonl --raw',
      ]),
    )
    .action(async (names, options) => (await import('./commands/export.ts')).exportSessions(names, options));

  withPlaces(pal.command('resume'))
    .description("the agent's own command that goes on with a session, in the right folder")
    .addArgument(idArgument())
    .option('--exec', 'run it')
    .addHelpText('after', examples(['pal resume last', 'pal resume 1a34 --exec', 'eval "$(pal resume last:codex)"']))
    .action(async (id, options) => (await import('./commands/resume.ts')).resume(id, options));

  withPlaces(pal.command('keep'))
    .description('copies native files to safety, before the agent deletes them')
    .addArgument(new Argument('[id...]', 'sessions; all where none is given').default([]))
    .option('--auto', 'how to have it done by itself')
    .addHelpText('after', examples(['pal keep', 'pal keep last', 'pal keep --agent claude-code', 'pal keep --auto']))
    .action(async (ids, options) => (await import('./commands/keep.ts')).keep(ids, options));

  pal
    .command('validate')
    .description('a unified document against the schema')
    .argument('<file>', 'NDJSON or JSON; - for standard input')
    .option('--json', 'the faults as JSON')
    .addHelpText('after', examples(['pal validate history.ndjson', 'pal export last | pal validate -']))
    .action(async (file, options) => (await import('./commands/validate.ts')).validate(file, options));

  pal
    .command('completion')
    .description('a script that completes commands, options, ids and titles in your shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      examples([
        'pal completion bash > ~/.local/share/bash-completion/completions/pal',
        'pal completion fish > ~/.config/fish/completions/pal.fish',
        'source <(pal completion bash)',
      ]),
    )
    .action(async (shell) => (await import('./commands/completion.ts')).completion(shell));

  pal
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words) => (await import('./commands/complete.ts')).complete(words, pal));

  return pal;
}

function noSuchCommand(word: string, pal: Command): string {
  const names = pal.commands.map((command) => command.name());
  const meant = nearest(word, names);
  if (names.includes(word)) return `"${word}" stands behind an option: the command comes first.`;
  const guess = meant === undefined ? '' : ` Did you mean "pal ${meant}"?`;
  return `There is no command "${word}".${guess}\n"pal --help" shows what there is.`;
}

function idArgument(): Argument {
  return new Argument(
    '[id]',
    'id, unique prefix, title, last, last~2, last:codex, or a path; where not\ngiven: the newest session of the current folder (show and resume let you\nchoose on a terminal)',
  );
}

function withPlaces(command: Command): Command {
  return withFilters(command).option('--json', 'JSON for programs, versioned');
}

function withFilters(command: Command): Command {
  return command
    .option('--home <dir>', 'home folder to read in place of yours (can be given several times)', collected)
    .addOption(new Option('--agent <agent>', 'only this agent').choices([...AGENTS]))
    .option('--project <folder>', 'only sessions of this project')
    .option('--since <date>', 'only sessions used since then (2026-11-01, or 7d)')
    .option('--until <date>', 'only sessions begun before then')
    .option('--sample', 'the sessions that come with Palimpsest');
}

/** Its parser collects; the choices are for the help and for completion. */
function kindOption(flags: string, description: string): Option {
  return Object.assign(new Option(flags, description).argParser(kinds), { argChoices: [...EVENT_KINDS] });
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It is a number from 1 on.');
  return Number(value);
}

function collected(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function kinds(value: string, before: EventKind[] | undefined): EventKind[] {
  const kind = EVENT_KINDS.find((known) => known === value);
  if (kind === undefined) throw new InvalidArgumentError(`It is one of ${EVENT_KINDS.join(', ')}.`);
  return [...(before ?? []), kind];
}

function examples(lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Runs the command line; gives the exit code. */
export async function run(version: string, argv: string[]): Promise<number> {
  const pal = program(version);
  pal.exitOverride();
  for (const command of pal.commands) command.exitOverride();
  try {
    await pal.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return await exitCodeFor(error);
  }
}

async function exitCodeFor(error: unknown): Promise<number> {
  // Commander has printed its own message: help and version are fine, the rest is a wrong call.
  const { code, exitCode } = error as { code?: unknown; exitCode?: unknown };
  if (typeof code === 'string' && code.startsWith('commander.')) return exitCode === 0 ? 0 : 1;
  if (code === 'EPIPE') return 0;
  // Loaded only when there is something to say: it would make every start slower.
  const { say } = await import('./output.ts');
  if (error instanceof UserError) {
    say(error.message);
    return 1;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(`This is a bug of Palimpsest. Please report it with the lines below.\n${stack}`);
  return 2;
}
