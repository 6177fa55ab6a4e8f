// docs/cli.md from the help texts, so that it cannot differ from them. Usage: node scripts/cli-docs.ts

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { program } from '../src/cli/program.ts';

const HEAD = `# Commands

Made from the help texts by \`node scripts/cli-docs.ts\`; a test holds the two together. \`pal\` is short for \`palimpsest\`.

Data goes to standard output, everything else to standard error; progress, colours and the pager are for terminals only (\`NO_COLOR\`, \`FORCE_COLOR\` and \`PAGER\` are honoured).
Exit codes: 0 fine; 1 your mistake, or nothing found, or a document that is not valid; 2 a bug of ours.

Homes: \`--home\` stands above everything; without it, \`PALIMPSEST_HOME\`, else your home folder, in which \`CLAUDE_CONFIG_DIR\`, \`CODEX_HOME\` and
\`GEMINI_CLI_HOME\` are honoured. A \`.jsonl\` file or a folder of them can be given by its path: such a file is read alone, with what its name
ties to it, and without links into a home. What \`pal keep\` copies lies in \`PALIMPSEST_DATA\`, else in the folder
for data of \`PALIMPSEST_HOME\` where that is set, else in the platform's (\`XDG_DATA_HOME\`).

\`--json\` answers are \`{"version": 1, "kind": …, "value": …}\`. \`pal ls --watch --json\` writes one on each line: a \`session\` as in the list, with
\`counted\` (false: only \`bytes\` and \`last_used\` are new, the rest is from the last reading; another line follows), or a \`session-gone\`.
Where nothing is found, the value has its usual shape and is empty; the exit code is 1, as without \`--json\`. Where a session that was named is not there, or an option is wrong, there is no answer.
\`pal --json\` in a home without any session tells of the samples, as \`pal\` does, and ends with 0: only where \`sample\` is false are the facts yours.
`;

/** The whole page. */
export function cliDocs(): string {
  const pal = program('0.0.0');
  const sections = pal
    .createHelp()
    .visibleCommands(pal)
    .filter((command) => command.name() !== 'help')
    .map((command) => {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).configureHelp({ helpWidth: 100 });
      command.outputHelp();
      return `## pal ${command.name()}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`;
    });
  return `${HEAD}\n${sections.join('\n')}`;
}

if (process.argv[1]?.endsWith('cli-docs.ts')) {
  writeFileSync(fileURLToPath(new URL('../docs/cli.md', import.meta.url)), cliDocs());
}
