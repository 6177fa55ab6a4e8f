// The command line: every command with its options, examples and what runs it.

import { Argument, Command, Option } from 'commander';
import { USAGE_GROUPINGS } from '../schema/words.ts';
import { search } from './commands/search.ts';
import { usage } from './commands/usage.ts';
import { fail } from './failure.ts';
import { nearest } from './near.ts';
import { countFromZero, names, portNumber, tokenCount, turnRanges, wholeNumber } from './option-values.ts';
import {
  examples,
  idArgument,
  kindOption,
  sampleOption,
  withFilters,
  withHomes,
  withPlaces,
  withStore,
} from './options.ts';
import { writeAll } from './output.ts';

/** Builds the command line, or of it one command. Each command's code is loaded only when it runs, apart from the two that are to be quick. */
export function program(version: string, only?: string): Command {
  const pal = new Command('palimpsest')
    .description(
      'Reads every layer of the histories that AI coding agents leave on disk: what was said, what the model could still see, what was taken away, and what you said no to.',
    )
    .version(version)
    .showHelpAfterError('("palimpsest --help" shows what there is)')
    .configureHelp({ sortSubcommands: false })
    // A reader that has gone (`| head`) is no error of ours; and to make Node's own stream takes a few milliseconds.
    .configureOutput({ writeOut: (text) => writeAll([text]) })
    .enablePositionalOptions();
  const offer = (name: string, describe: () => void) => {
    if (only === undefined || only === name) describe();
  };

  offer('overview', () =>
    withPlaces(pal.command('overview', { isDefault: true, hidden: false }))
      .description('what is in your history, and where to go from there (also without any command)')
      .addHelpText('after', examples(['pal', 'pal --sample', 'pal --home /mnt/old-laptop']))
      .addArgument(new Argument('[words...]').default([], 'none').argOptional())
      .action(async (words: string[], options) => {
        const [word] = words;
        if (word !== undefined) fail(noSuchCommand(word, pal));
        return (await import('./commands/overview.ts')).overview(options);
      }),
  );

  offer('ls', () =>
    withPlaces(pal.command('ls'))
      .description('sessions, newest first; subagents, clears, forks and clones folded')
      .option('--flat', 'subagents, copies, and the earlier sessions of a thread, as rows of their own')
      .addOption(kindOption('--event <kind>', 'only sessions in which this happened (can be given several times)'))
      .option('--model <name>', 'only sessions with a model that has this in its name')
      .option(
        '-n, --limit <count>',
        'no more than the newest (on a terminal 40 where not given, else all)',
        wholeNumber,
      )
      .option(
        '--watch',
        'keep it up to date on a terminal (q leaves); elsewhere a line for each session that changes (-n: so many)',
      )
      .addHelpText(
        'after',
        examples([
          'pal ls',
          'pal ls --project ~/src/shop --since 7d',
          'pal ls --event rejection',
          'pal ls --json',
          'pal ls --watch',
          "pal ls --watch --json | jq '.value.title'",
        ]),
      )
      .action(async (options) => {
        if (options.watch === true) await (await import('./commands/ls-watch.ts')).lsWatch(options);
        else await (await import('./commands/ls.ts')).ls(options);
      }),
  );

  offer('show', () =>
    withPlaces(pal.command('show'))
      .description('the transcript, events in place')
      .addArgument(idArgument())
      .addOption(
        new Option('--layers <which>', 'only what the model could still see at the end, or everything')
          .choices(['live', 'all'])
          .default('all'),
      )
      .option('--at <message>', 'what the model saw at this message (index or id), and all of that message')
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
      .action(async (id, options) => (await import('./commands/show.ts')).show(id, options)),
  );

  offer('events', () =>
    withPlaces(pal.command('events'), 'events')
      .description('every compaction, clear, interruption, rejection, rewind, denial and failure')
      .addArgument(new Argument('[id...]', 'sessions; all where none is given').default([]))
      .addOption(kindOption('--kind <kind>', 'only this kind (can be given several times)'))
      .addOption(
        new Option('--by <what>', 'how many of each, most first (days: newest first)').choices([
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
      .action(async (ids, options) => (await import('./commands/events.ts')).events(ids, options)),
  );

  offer('context', () =>
    withPlaces(pal.command('context'))
      .description('what the model saw')
      .addArgument(idArgument())
      .option('--at <message>', 'at this message (index or id); at the end where not given')
      .option('--no-pager', 'all at once, also on a terminal')
      .addHelpText(
        'after',
        examples(['pal context last', 'pal context 1a34 --at 40', 'pal context 1a34 --at 40 --json']),
      )
      .action(async (id, options) => (await import('./commands/context.ts')).context(id, options)),
  );

  offer('stats', () =>
    withPlaces(pal.command('stats'))
      .description('what is in it, counted: tools, models and their cost, blocks, rows, and what we do not know')
      .addArgument(new Argument('[id...]', 'sessions; all where none is given').default([]))
      .option('--prices <file>', 'prices of your own, above the list prices (also PALIMPSEST_PRICES)')
      .option('--no-pager', 'all at once, also on a terminal')
      .addHelpText('after', examples(['pal stats', 'pal stats last', 'pal stats --since 30d --json']))
      .action(async (ids, options) => (await import('./commands/stats.ts')).stats(ids, options)),
  );

  offer('search', () =>
    withStore(withPlaces(pal.command('search'), 'messages'))
      .description(
        'finds what was said, and what tools were given and gave, newest first; also what was compacted away',
      )
      .argument(
        '<query...>',
        'words, "phrases", prefix*, -not, OR, agent: project: tool: kind: event: since: until: session:',
      )
      .addOption(new Option('--ranked', 'the best first, not the newest').conflicts(['regex', 'exact']))
      .option('--regex', 'a regular expression, looked for in the texts themselves')
      .addOption(new Option('--exact', 'these very characters, looked for in the texts themselves').conflicts('regex'))
      .option('-n, --limit <count>', 'no more than so many', wholeNumber, 20)
      .option('--no-pager', 'all at once, also on a terminal')
      .allowUnknownOption() // -not
      .addHelpText(
        'after',
        examples([
          'pal search deadlock',
          'pal search \'"connection refused" -docker\'',
          'pal search migrat* tool:Bash since:30d',
          'pal search kind:prompt project:shop',
          "pal search --regex 'ticket-\\d+' --agent codex",
        ]),
      )
      .action(search),
  );

  offer('usage', () =>
    withStore(withPlaces(pal.command('usage'), 'requests'))
      .description('tokens and cost, by day, week, month, model, project, agent or session')
      .addOption(
        new Option('--by <what>', 'what the lines of the table are').choices([...USAGE_GROUPINGS]).default('day'),
      )
      .addOption(
        new Option(
          '--rates [by]',
          'instead: how many of 100 calls were refused, stopped, denied or failed, by tool or by model (of the sessions that "pal ls" shows with the same options)',
        )
          .choices(['tool', 'model'])
          .preset('tool'),
      )
      .addOption(new Option('--csv', 'for spreadsheets').conflicts(['json', 'rates']))
      .option('--prices <file>', 'prices of your own, above the list prices (also PALIMPSEST_PRICES)')
      .option('--no-pager', 'all at once, also on a terminal')
      .addHelpText(
        'after',
        examples([
          'pal usage',
          'pal usage --by month',
          'pal usage --by project --since 30d',
          'pal usage --rates model',
          'pal usage --by session --csv > cost.csv',
        ]),
      )
      .action((options) => usage(options)),
  );

  offer('export', () =>
    withFilters(pal.command('export'))
      .description('unified documents')
      .addArgument(
        new Argument('[id-or-path...]', 'sessions, files or folders; the whole history where none is given').default(
          [],
        ),
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
      .action(async (names, options) => (await import('./commands/export.ts')).exportSessions(names, options)),
  );

  offer('clone', () =>
    withPlaces(pal.command('clone'))
      .description('a slimmer copy of a session, which the agent resumes; the session itself is only read')
      .addArgument(idArgument())
      .addOption(
        new Option(
          '--preset <name>',
          'lighter: images out, older tool texts cut; conversation: only what was said; recap: a summary and the last turns; unbrick: for a session that the server refuses',
        ).choices(['lighter', 'conversation', 'recap', 'unbrick']),
      )
      .option(
        '--budget <tokens>',
        'as much as fits into so many tokens (60k), by the mildest means that do',
        tokenCount,
      )
      .addOption(
        new Option(
          '--strip-tools [which]',
          'calls with their results out: all, or only old ones; outputs: long inputs and outputs cut to head and tail',
        )
          .choices(['all', 'old', 'outputs'])
          .preset('all'),
      )
      .option('--tool <names>', 'only these tools (Bash,Read)', names)
      .option('--strip-thinking', "the model's thinking out")
      .option('--strip-images', 'images out, and what the client keeps beside results for itself')
      .addOption(
        new Option('--compress [level]', 'a summary in place of all but the newest turns')
          .choices(['full', 'brief'])
          .preset('full'),
      )
      .option('--compress-turns <ranges>', 'a summary in place of these turns (1-40, or 1-20:brief,21-40)', turnRanges)
      .option('--summarize-with <command>', 'a command that reads the turns and prints the summary')
      .option('--summarize-timeout <seconds>', 'how long it may take', wholeNumber, 120)
      .option('--summarize-fallback', 'where it fails, take the built-in summary')
      .option(
        '--keep-last <turns>',
        'so many of the newest turns stay whole (5 for old and --compress, 5, 2 or 1 for --budget, else 0)',
        countFromZero,
      )
      .option('--at <message>', 'end with this message (index or id)')
      .option('--into <folder>', 'for a project that has moved: the folder in which you will go on')
      .option('--title <text>', "the copy's title")
      .option('--dry-run', 'only tell what would be left, by kind')
      .addOption(new Option('--messages', 'with --json: what the copy sends, block by block'))
      .addHelpText(
        'after',
        examples([
          'pal clone last --budget 60k --dry-run',
          'pal clone last --budget 60k --keep-last 10',
          'pal clone 1a34 --preset conversation',
          'pal clone 1a34 --strip-tools=old --strip-thinking',
          'pal clone 1a34 --compress --summarize-with \'llm -s "Sum up this session"\'',
        ]),
      )
      .action(async (id, options) => {
        await (await import('./commands/clone.ts')).clone(id, options);
      }),
  );

  offer('resume', () =>
    withPlaces(pal.command('resume'))
      .description("the agent's own command that goes on with a session, in the right folder")
      .addArgument(idArgument())
      .option('--exec', 'run it')
      .addHelpText('after', examples(['pal resume last', 'pal resume 1a34 --exec', 'eval "$(pal resume last:codex)"']))
      .action(async (id, options) => (await import('./commands/resume.ts')).resume(id, options)),
  );

  offer('keep', () =>
    withPlaces(pal.command('keep'))
      .description('copies native files to safety, before the agent deletes them')
      .addArgument(new Argument('[id...]', 'sessions; all where none is given').default([]))
      .option('--auto', 'how to have it done by itself')
      .addHelpText('after', examples(['pal keep', 'pal keep last', 'pal keep --agent claude-code', 'pal keep --auto']))
      .action(async (ids, options) => (await import('./commands/keep.ts')).keep(ids, options)),
  );

  offer('doctor', () =>
    withPlaces(pal.command('doctor'))
      .description('what is wrong with your history, or why a resume of a session loses something')
      .argument('[id]', 'one session; the whole history where none is given')
      .option('--fix', 'write a repaired copy as a new session')
      .option('--into <folder>', 'with --fix, for a project that has moved: the folder in which you will go on')
      .addHelpText('after', examples(['pal doctor', 'pal doctor 1a34', 'pal doctor 1a34 --fix', 'pal doctor --json']))
      .action(async (id, options) => (await import('./commands/doctor.ts')).doctor(id, options)),
  );

  offer('index', () =>
    withStore(withHomes(pal.command('index')))
      .description('reads everything that is new into the index, so that search and usage answer at once')
      .option('--json', 'JSON for programs, versioned')
      .addHelpText('after', examples(['pal index', 'pal index --store /tmp/index']))
      .action(async (options) => (await import('./commands/index-history.ts')).indexHistory(options)),
  );

  offer('serve', () =>
    withStore(withHomes(pal.command('serve')))
      .description('the viewer: every layer of your sessions, in the browser')
      .addOption(sampleOption())
      .option('--open', 'open the browser (not in CI, nor over ssh)')
      .option('--port <number>', 'port to listen on; 0 for any that is free', portNumber, 0)
      .option(
        '--host <address>',
        'address to listen on: others than 127.0.0.1 can be reached from outside',
        '127.0.0.1',
      )
      .option('--no-index', 'read nothing into the index: sessions are read as they are looked at')
      .option('--json', 'the address as JSON for programs, versioned')
      .addHelpText('after', examples(['pal serve', 'pal serve --open', 'pal serve --sample --port 8080']))
      .action(async (options) => (await import('./commands/serve.ts')).serve(options)),
  );

  offer('validate', () =>
    pal
      .command('validate')
      .description('a unified document against the schema, or a native session against what its client needs')
      .argument('<file>', 'NDJSON or JSON; - for standard input. With --native: the file of a session')
      .option('--native', 'hold the file of a session against what its client needs to resume it')
      .option('--json', 'the faults as JSON')
      .addHelpText(
        'after',
        examples([
          'pal validate history.ndjson',
          'pal export last | pal validate -',
          'pal validate --native ./session.jsonl',
        ]),
      )
      .action(async (file, options) => (await import('./commands/validate.ts')).validate(file, options)),
  );

  offer('completion', () =>
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
      .action(async (shell) => (await import('./commands/completion.ts')).completion(shell)),
  );

  offer('complete', () =>
    pal
      .command('complete', { hidden: true })
      .argument('[words...]')
      .action(async (words) => (await import('./commands/complete.ts')).complete(words, pal)),
  );

  for (const command of pal.commands)
    command.showHelpAfterError(`("palimpsest ${command.name()} --help" shows what there is)`);
  return pal;
}

function noSuchCommand(word: string, pal: Command): string {
  const names = pal.commands.map((command) => command.name());
  const meant = nearest(word, names);
  if (names.includes(word)) return `"${word}" stands behind an option: the command comes first.`;
  const guess = meant === undefined ? '' : ` Did you mean "pal ${meant}"?`;
  return `There is no command "${word}".${guess}\n"pal --help" shows what there is.`;
}
