import { type FoundFamily, type NativeFault, plain } from '../index.ts';
import { fail } from './failure.ts';
import { shellWord } from './places.ts';

/** Of a session that the agent has deleted. */
export function notResumed({ writer }: Pick<FoundFamily, 'writer'>): string {
  const copy = writer === null ? '' : ' A copy can: pal clone.';
  return `The agent has deleted this session; Palimpsest reads it from what was kept. It can be read, not resumed.${copy}`;
}

/** Of a session of which only subagents are at hand. */
export function withoutMain({ isAlone }: Pick<FoundFamily, 'isAlone'>): string {
  return isAlone
    ? 'This is the file of a subagent: it can be read, but only its session is resumed. Give that one, by its id or its file.'
    : 'The session itself is gone: only files of its subagents are left. They can be read, not resumed.';
}

/** Can a copy of it be written beside it, and is there anything that the copy could hold? */
export function canBeRepaired({ writer, agentFolder }: FoundFamily, faults: NativeFault[]): boolean {
  return writer !== null && agentFolder !== null && holdsSomething(faults);
}

/** There must be something to write, and it must be readable. */
export function holdsSomething(faults: NativeFault[]): boolean {
  return !faults.some(({ code }) => code === 'no-messages' || code === 'unreadable-file');
}

/** The agent's own commands in the folder of the project, as a line for a shell. Ids and paths are from files: not all may go there. */
export function resumeLine(id: string, commands: FoundFamily['resumeCommand'][], project: string | null): string {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(id))
    fail(`The id ${JSON.stringify(id)} is none that an agent gives: it is not put into a command.`);
  if (project !== null && plain(project, Number.POSITIVE_INFINITY) !== project)
    fail(`The path of its project has characters that are not put into a command: ${JSON.stringify(project)}`);
  const folder = project === null ? '' : `cd ${project.startsWith('-') ? '-- ' : ''}${shellWord(project)} && `;
  return `${folder}${commands.map((command) => command.map(shellWord).join(' ')).join(' && ')}`;
}
