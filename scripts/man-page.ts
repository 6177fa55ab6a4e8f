// man/pal.1 from the help texts, so that it cannot differ from them. Usage: node scripts/man-page.ts

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { program } from '../src/cli/program.ts';

/** The whole page, for man. */
export function manPage(): string {
  const pal = program('0.0.0');
  const commands = pal
    .createHelp()
    .visibleCommands(pal)
    .filter((command) => command.name() !== 'help');
  return [
    '.TH PAL 1 "" "Palimpsest" "User commands"',
    '.SH NAME',
    'pal, palimpsest \\- every layer of the histories that AI coding agents leave on disk',
    '.SH SYNOPSIS',
    '.B pal',
    '.RI [ command ]\n.RI [ options ]',
    '.SH DESCRIPTION',
    escaped(pal.description().replace(/\n/g, ' ')),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, does]) => ['.TP', `.B ${name}`, escaped(does)]),
    '.SH EXIT STATUS',
    '0 fine; 1 a mistake in the call, or nothing found, or a document that is not valid; 2 a bug of Palimpsest.',
    '',
  ].join('\n');
}

const ENVIRONMENT: [name: string, does: string][] = [
  ['PALIMPSEST_HOME', 'The home folder to read in place of yours.'],
  ['PALIMPSEST_DATA', 'Where kept files lie, in place of the folder that the platform has for data.'],
  ['PALIMPSEST_NODE', 'A newer Node, where the one that starts it is too old.'],
  ['CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME', "The agents' own variables are honoured."],
  ['PAGER', 'The pager for long text on a terminal; less -R where it is not set, none where it is empty.'],
  ['NO_COLOR, FORCE_COLOR', 'No colours, or colours also in a pipe.'],
];

function commandLines(command: Command): string[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `.SS pal ${escaped(command.name())} ${escaped(
      command.registeredArguments.map((argument) => `[${argument.name()}]`).join(' '),
    )}`.trimEnd(),
    escaped(command.description()),
    ...options.flatMap((option) => ['.TP', `.B ${escaped(option.flags)}`, escaped(help.optionDescription(option))]),
  ];
}

/** What roff would take for its own. */
function escaped(text: string): string {
  return text
    .replace(/\\/g, '\\e')
    .replace(/-/g, '\\-')
    .replace(/^(['.])/gm, '\\&$1');
}

if (process.argv[1]?.endsWith('man-page.ts')) {
  mkdirSync(fileURLToPath(new URL('../man', import.meta.url)), { recursive: true });
  writeFileSync(fileURLToPath(new URL('../man/pal.1', import.meta.url)), manPage());
}
