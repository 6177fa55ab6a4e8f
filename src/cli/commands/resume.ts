import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { plain } from '../../index.ts';
import { type FilterOptions, withSession } from '../choose.ts';
import { fail } from '../failure.ts';
import { writeAll, writeJson } from '../output.ts';
import { chooseOrPick } from '../picker.ts';
import { placeWords, shellWord } from '../places.ts';
import { notResumed, resumeLine, withoutMain } from '../resume-line.ts';
import { runFolder } from '../run-folder.ts';
import { shortId } from '../short-id.ts';

interface ResumeFlags extends FilterOptions {
  exec?: boolean;
  json?: boolean;
}

/** The agent's own command, in the folder in which the agent finds the session. */
export async function resume(id: string | undefined, flags: ResumeFlags): Promise<void> {
  const chosen = await chooseOrPick(id, flags, 'resume');
  if (chosen.only !== null) fail(`${chosen.only} is a subagent: only its session can be resumed, ${chosen.family.id}.`);
  if (chosen.family.isKept) fail(notResumed(chosen.family));
  if (!chosen.family.hasMain) fail(withoutMain(chosen.family));
  if (chosen.family.agentFolder === null)
    fail(
      "The file lies where its agent does not look: it can be read, not resumed. Put it into the agent's own folder first.",
    );
  if (flags.exec === true && flags.json === true) fail('--exec runs the command, --json prints it: give one of them.');
  const refused = chosen.family.check()?.faults.find(({ effect }) => effect === 'refused');
  if (refused !== undefined)
    fail(
      `${plain(refused.message, 400)}\nIt can be read, not resumed. pal doctor ${shortId(chosen.family.id)}${placeWords(flags)} tells more.`,
    );
  const { resumeCommand: command, commandBeforeResume: before } = chosen.family;
  const project = withSession(chosen, (session) => runFolder(chosen.family, session));
  if (flags.json === true) {
    writeJson('resume', { session_id: chosen.family.id, agent: chosen.family.agent, project, before, command });
    return;
  }
  const line = resumeLine(chosen.family.id, before === null ? [command] : [before, command], project);
  // What moves the agent's files is the user's to run.
  if (flags.exec === true && before !== null)
    fail(`The agent has put this session away, and goes on with it only after: ${before.map(shellWord).join(' ')}`);
  if (flags.exec === true) run(command, project);
  else writeAll([`${line}\n`]);
}

function run([program = '', ...args]: string[], project: string | null): void {
  if (project === null)
    fail('It is not known in which folder this session was made. Go there, and run the command yourself.');
  if (!existsSync(project)) fail(`The folder ${project} is gone. Make it again, or move there what it held.`);
  const ran = spawnSync(program, args, { cwd: project, stdio: 'inherit' });
  const { code } = (ran.error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOENT') fail(`There is no command "${program}" on this machine's PATH.`);
  if (ran.error !== undefined) fail(`The command "${program}" cannot be run: ${ran.error.message}.`);
  process.exitCode = ran.status ?? 1;
}
