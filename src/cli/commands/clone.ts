import { existsSync, realpathSync, statSync } from 'node:fs';
import {
  type ClonePlan,
  cloneTitle,
  type FoundFamily,
  plain,
  planClone,
  type SessionReader,
  sources,
  writeClone,
} from '../../index.ts';
import { type Chosen, sayUnread, sessionIn } from '../choose.ts';
import { commandNotRun, nothingLeft, refuseBudget, withoutEffect } from '../clone-notices.ts';
import { type CloneFlags, optionsFrom } from '../clone-options.ts';
import { type Told, tell } from '../clone-page.ts';
import { fail } from '../failure.ts';
import { now } from '../now.ts';
import { say } from '../output.ts';
import { chooseOrPick } from '../picker.ts';
import { runFolder } from '../run-folder.ts';

/** A slimmer copy of a session, which the agent resumes. The session itself is only read. */
export async function clone(id: string | undefined, flags: CloneFlags): Promise<Told | null> {
  const chosen = await chooseOrPick(id, flags, 'clone');
  const { family } = chosen;
  if (chosen.only !== null) fail(`${chosen.only} is a subagent: only its session can be cloned, ${family.id}.`);
  if (family.writer === null) fail(cannotBeWritten(family));
  if (flags.sample === true && flags.dryRun !== true) fail('The samples are only for looking at: add --dry-run.');
  const open = family.open();
  try {
    const session = sessionIn(open, chosen);
    sayUnread(session.document);
    return cloneSession(chosen, session, flags);
  } finally {
    open.close();
  }
}

export function cannotBeWritten(family: FoundFamily): string {
  return `Sessions of ${labelOf(family)} cannot be written yet: only those of ${writable()}.`;
}

function labelOf({ agent }: FoundFamily): string {
  return sources.find((source) => source.agent === agent)?.label ?? agent;
}

function writable(): string {
  return sources
    .filter(({ writer }) => writer !== null)
    .map(({ label }) => label)
    .join(', ');
}

function cloneSession({ family }: Chosen, session: SessionReader, flags: CloneFlags): Told | null {
  const title = titleFrom(flags);
  if (flags.into !== undefined) refuseFolder(flags.into);
  const isBeingWritten = isOpenElsewhere(family, session);
  const options = optionsFrom(flags, session);
  const plan = planClone(session, { ...options, wholeTurns: isBeingWritten });
  if (isBeingWritten) say('The session is being written: the copy ends with its last whole turn.');
  if (plan.draft.messages.length === 0 && plan.draft.summary === null) fail(nothingLeft(isBeingWritten, flags));
  for (const line of [...withoutEffect(session, plan, options), ...commandNotRun(plan, flags)]) say(line);
  refuseBudget(session, plan, options, flags);
  if (flags.dryRun === true) {
    tell(session, plan, flags, null);
    return null;
  }
  const { project, run_in } = destinationFor(family, session, flags);
  const written = writtenClone(family, session, plan, {
    project,
    title: title ?? cloneTitle(session, plan),
  });
  const told = { ...written, project: run_in, family };
  tell(session, plan, flags, told);
  return told;
}

function titleFrom({ title }: CloneFlags): string | undefined {
  if (title === undefined) return undefined;
  const line = plain(title, 200);
  return line === '' ? fail('--title is empty.') : line;
}

/** Files that change while they are looked at, or have just been. */
const FRESH_MS = 10_000;

function isOpenElsewhere(family: FoundFamily, { document }: SessionReader): boolean {
  // A copy of ours that nobody has gone on with.
  if (document.session.lineage.cloned_from !== null && document.session.counts.messages === 0) return false;
  return family.nativeFiles().some(({ absolute, bytes, isCompanion }) => {
    if (isCompanion || !existsSync(absolute)) return false;
    const { size: nowBytes, mtimeMs } = statSync(absolute);
    return nowBytes !== bytes || now() - mtimeMs < FRESH_MS;
  });
}

interface Destination {
  /** The folder whose sessions it will be among; that of the original where null. */
  project: string | null;
  /** The folder in which the agent goes on with it. */
  run_in: string | null;
}

function refuseFolder(into: string): void {
  if (!existsSync(into) || !statSync(into).isDirectory()) fail(`There is no folder ${into}.`);
}

function destinationFor(family: FoundFamily, session: SessionReader, { into }: CloneFlags): Destination {
  if (into !== undefined) {
    if (family.agentFolder === null) fail(LOOSE);
    const project = realpathSync(into);
    if (family.writer?.looksThere(family.writer.path('new', project), project) === false)
      fail(
        `The path of ${into} is too long: the agent would not find a session there. Choose a folder with a shorter one.`,
      );
    return { project, run_in: project };
  }
  if (family.agentFolder === null) fail(LOOSE);
  const run_in = runFolder(family, session);
  if (run_in !== null && !existsSync(run_in))
    fail(
      `The folder of its project is gone: ${run_in}\nGive the folder in which you will go on with --into FOLDER. Nothing was written.`,
    );
  return { project: null, run_in };
}

const LOOSE =
  "The file lies where its agent does not look. Put it into the folder of its project first, below the agent's own, or name the session by its id. Nothing was written.";

function writtenClone(
  family: FoundFamily,
  session: SessionReader,
  plan: ClonePlan,
  { project, title }: { project: string | null; title: string },
) {
  try {
    return writeClone(family, session, plan, { project, title, now: new Date(now()).toISOString() });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    const why: Record<string, string> = {
      ENOSPC: 'there is no space left on the disk',
      EACCES: 'permission denied',
      EPERM: 'permission denied',
      EROFS: 'the disk cannot be written to',
      EDQUOT: 'your share of the disk is used up',
      EFBIG: 'files may not be so large here',
      ENAMETOOLONG: 'its path is too long',
      EEXIST: 'there is a file where a folder should be',
      ENOTDIR: 'there is a file where a folder should be',
      ENOENT: 'a link there leads nowhere',
    };
    if (code !== undefined && why[code] !== undefined)
      fail(
        `The copy could not be written${path === undefined ? '' : ` to ${path}`}: ${why[code]}. Nothing was left behind.`,
      );
    throw error;
  }
}
