import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import {
  CATEGORIES,
  type CloneOptions,
  type ClonePlan,
  cloneTitle,
  counted,
  type FoundFamily,
  KEEP_LAST,
  type Level,
  PRESETS,
  type PresetName,
  plain,
  planClone,
  plannedBlocks,
  type Rung,
  type SessionReader,
  size,
  sources,
  summarise,
  type TurnRange,
  tokens,
  turnsOf,
  turnsText,
  writeClone,
} from '../../index.ts';
import { type Chosen, type FilterOptions, sayUnread, sessionIn } from '../choose.ts';
import { fail } from '../failure.ts';
import { now } from '../now.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { chooseOrPick } from '../picker.ts';
import { resumeLine } from '../resume-line.ts';
import { screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { type Column, tableLines } from '../table.ts';
import { messageIndex } from './context.ts';

export interface CloneFlags extends FilterOptions {
  preset?: PresetName;
  stripTools?: 'all' | 'old' | 'outputs';
  tool?: string[];
  stripThinking?: boolean;
  stripImages?: boolean;
  /** Join what a client would lose: for `doctor --fix`. */
  mend?: boolean;
  compress?: Level;
  compressTurns?: TurnRange[];
  summarizeWith?: string;
  summarizeTimeout: number;
  summarizeFallback?: boolean;
  budget?: number;
  keepLast?: number;
  at?: string;
  into?: string;
  title?: string;
  dryRun?: boolean;
  messages?: boolean;
  json?: boolean;
}

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
    sayUnread(session);
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
  const isBeingWritten = isOpenElsewhere(family, session);
  const options = optionsFrom(flags, session);
  const plan = planClone(session, { ...options, wholeTurns: isBeingWritten });
  if (isBeingWritten) say('The session is being written: the copy ends with its last whole turn.');
  if (plan.draft.messages.length === 0 && plan.draft.summary === null) fail(nothingLeft(isBeingWritten, flags));
  for (const line of withoutEffect(session, plan, options)) say(line);
  refuseBudget(session, plan, options, flags);
  if (flags.dryRun === true) {
    tell(session, plan, flags, null);
    return null;
  }
  const { project, run_in } = destinationFor(family, session, flags);
  const written = writtenClone(family, session, plan, {
    project,
    title: titleFrom(flags) ?? cloneTitle(session, plan),
  });
  const told = { ...written, project: run_in, family };
  tell(session, plan, flags, told);
  return told;
}

function nothingLeft(isBeingWritten: boolean, { at }: CloneFlags): string {
  if (isBeingWritten) return 'It has no whole turn yet.';
  if (at !== undefined) return `Nothing whole was said up to message ${at}: a copy ends with a reply of the agent.`;
  return 'Nothing of the session would be left in the copy: it holds no message that the model still sees.';
}

/** What was asked for and did nothing, so that nobody wonders. */
function withoutEffect(session: SessionReader, { draft, before, after }: ClonePlan, options: CloneOptions): string[] {
  const lines: string[] = [];
  const called = new Set(session.document.tool_calls.map(({ name }) => name));
  const unknown = (options.tools ?? []).filter((name) => !called.has(name));
  if (unknown.length > 0)
    lines.push(
      `It has no calls of ${unknown.join(', ')}. Its tools: ${[...called].map((name) => plain(name, 40)).join(', ') || 'none'}.`,
    );
  const { compress, keepLast = KEEP_LAST, at, budget, mend } = options;
  const turns = turnsOf(draft).length;
  if (compress !== undefined && draft.summary === null)
    lines.push(
      turns <= keepLast
        ? `Nothing was summed up: it has ${counted(turns, 'turn')}, and the newest ${keepLast} stay whole (--keep-last).`
        : 'Nothing was summed up: a summary would be longer than the turns.',
    );
  if (Array.isArray(compress) && draft.messages.length === 0)
    lines.push(`There are no more than ${compress.at(-1)?.to} turns: all of them were summed up.`);
  const last = draft.messages.at(-1)?.index;
  if (at !== undefined && last !== undefined && last !== at)
    lines.push(
      `Message ${at} stands within a turn: the copy ends with message ${last}, the last that the agent said whole.`,
    );
  if (
    lines.length === 0 &&
    mend !== true &&
    budget === undefined &&
    Math.round(after.total) === Math.round(before.total)
  )
    lines.push('Nothing was taken out: the copy has as many tokens as the session.');
  return lines;
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

function optionsFrom(flags: CloneFlags, session: SessionReader): CloneOptions {
  const preset = flags.preset === undefined ? {} : PRESETS[flags.preset].options;
  const { stripTools, tool, stripThinking, stripImages, budget, keepLast } = flags;
  if (tool !== undefined && stripTools === undefined)
    fail('--tool says which tools --strip-tools is about: give that too.');
  const compress = flags.compressTurns ?? flags.compress;
  const isSummary = compress !== undefined || budget !== undefined || 'compress' in preset;
  if (flags.summarizeWith !== undefined && !isSummary)
    fail('--summarize-with makes the summary of --compress, --compress-turns or --budget: give one of them.');
  if (flags.compress !== undefined && flags.compressTurns !== undefined)
    fail('Give --compress for all but the newest turns, or --compress-turns for some: not both.');
  return {
    ...preset,
    ...(stripTools === undefined ? {} : { stripTools }),
    ...(tool === undefined ? {} : { tools: tool }),
    ...(stripThinking === undefined ? {} : { stripThinking }),
    ...(stripImages === undefined ? {} : { stripImages }),
    ...(flags.mend === undefined ? {} : { mend: flags.mend }),
    ...(compress === undefined ? {} : { compress }),
    ...(budget === undefined ? {} : { budget, allRungs: flags.dryRun === true }),
    ...(keepLast === undefined ? {} : { keepLast }),
    ...(flags.at === undefined ? {} : { at: messageIndex(session, flags.at) }),
    summarise: summariser(session, flags),
  };
}

/** Of the room for a summary: so many characters are about one token. */
const CHARACTERS = 3.5;

function summariser(session: SessionReader, flags: CloneFlags): CloneOptions['summarise'] {
  const builtIn: CloneOptions['summarise'] = (messages, level, limit) =>
    summarise({ session, messages, level, limit: Math.floor(limit * CHARACTERS) });
  const { summarizeWith: command } = flags;
  // A look beforehand costs nothing: the command is not run for it.
  if (command === undefined || flags.dryRun === true) return builtIn;
  return (messages, level, limit) => {
    const said = outputOf(command, turnsText(session, messages), flags.summarizeTimeout);
    if ('text' in said) return said.text;
    if (flags.summarizeFallback !== true)
      fail(`${said.failure}\nNothing was written. --summarize-fallback takes the built-in summary where that happens.`);
    say(`${said.failure} The built-in summary was taken.`);
    return builtIn(messages, level, limit);
  };
}

function outputOf(command: string, input: string, seconds: number): { text: string } | { failure: string } {
  const ran = spawnSync(command, {
    shell: true,
    input,
    encoding: 'utf8',
    timeout: seconds * 1000,
    maxBuffer: 64 * 1024 * 1024,
  });
  const text = (ran.stdout ?? '').trim();
  if ((ran.error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT')
    return { failure: `The command of --summarize-with took longer than ${counted(seconds, 'second')}.` };
  if (ran.status !== 0) {
    const said = plain(ran.stderr ?? '', 200);
    return {
      failure: `The command of --summarize-with failed (${ran.status ?? ran.signal})${said === '' ? '' : `: ${said}`}.`,
    };
  }
  return text === '' ? { failure: 'The command of --summarize-with printed nothing.' } : { text };
}

/** A budget that cannot be met: the least that can be reached, and what would help. */
function refuseBudget(session: SessionReader, plan: ClonePlan, options: CloneOptions, flags: CloneFlags): void {
  const { ladder, model } = plan;
  const { budget } = options;
  if (ladder === null || ladder.fitting !== null || budget === undefined) return;
  const own = `${amount(model.fixed)} of them are the agent's own instructions and tools`;
  const least = Math.min(...ladder.rungs.map(({ total }) => total));
  const turns = counted(turnsOf(plan.draft).length, 'turn');
  const words =
    model.fixed >= budget
      ? `No copy fits into ${amount(budget)} tokens: the agent's own instructions and tools alone are about ${amount(model.fixed)}.`
      : `It cannot be made to fit into ${amount(budget)} tokens with the newest ${ladder.kept} of its turns whole (${turns} are left): that takes about ${amount(least)}, and ${own}.${fewerTurns(session, options, ladder.kept)}`;
  if (flags.dryRun !== true) fail(`${words}\nNothing was written.`);
  say(words);
  process.exitCode = 1;
}

/** The largest --keep-last with which it fits. */
function fewerTurns(session: SessionReader, options: CloneOptions, kept: number): string {
  for (const keepLast of [2, 1, 0].filter((fewer) => fewer < kept)) {
    const { ladder, after } = planClone(session, { ...options, allRungs: false, keepLast });
    if (ladder?.fitting !== null) return `\nWith --keep-last ${keepLast} it fits: about ${amount(after.total)} tokens.`;
  }
  return '';
}

interface Destination {
  /** The folder whose sessions it will be among; that of the original where null. */
  project: string | null;
  /** The folder in which the agent goes on with it. */
  run_in: string | null;
}

function destinationFor(family: FoundFamily, session: SessionReader, { into }: CloneFlags): Destination {
  if (into !== undefined) {
    if (!existsSync(into) || !statSync(into).isDirectory()) fail(`There is no folder ${into}.`);
    if (family.isLoose) fail(LOOSE);
    const project = realpathSync(into);
    return { project, run_in: project };
  }
  if (family.isLoose) fail(LOOSE);
  const { project, cwds } = session.document.session;
  const path = family.writer?.path('new', null) ?? '';
  // A project that was moved was worked on in both folders: the agent looks for the session in the newer.
  const folders = [project, ...cwds.toReversed()].filter((folder) => folder !== null && existsSync(folder));
  const run_in = folders.find((folder) => folder !== null && family.writer?.looksThere(path, folder)) ?? folders[0];
  if (run_in === undefined && project !== null)
    fail(
      `The folder of its project is gone: ${project}\nGive the folder in which you will go on with --into FOLDER. Nothing was written.`,
    );
  return { project: null, run_in: run_in ?? null };
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
    };
    if (code !== undefined && why[code] !== undefined)
      fail(
        `The copy could not be written${path === undefined ? '' : ` to ${path}`}: ${why[code]}. Nothing was left behind.`,
      );
    throw error;
  }
}

interface Told {
  session_id: string;
  path: string;
  bytes: number;
  project: string | null;
  family: FoundFamily;
}

function tell(session: SessionReader, plan: ClonePlan, flags: CloneFlags, written: Told | null): void {
  if (flags.json === true) writeJson('clone', asJson(session, plan, flags, written));
  else writeAll(lines(session, plan, written).map((line) => `${line}\n`));
}

function asJson(session: SessionReader, plan: ClonePlan, flags: CloneFlags, written: Told | null) {
  const { draft, model, before, after, ladder } = plan;
  return {
    cloned_from: session.document.session.id,
    session_id: written?.session_id ?? null,
    file: written?.path ?? null,
    bytes: written?.bytes ?? null,
    project: written?.project ?? null,
    command: written === null ? null : commandOf(written),
    tokens: {
      estimated: true,
      samples: model.samples,
      fixed: Math.round(model.fixed),
      before: figures(before),
      after: figures(after),
      fits: ladder === null ? null : ladder.fitting !== null,
      ladder: ladder?.rungs.map((rung) => ({ name: rung.name, fits: rung.fits, ...figures(rung) })) ?? null,
    },
    turns: turnsOf(draft).length,
    summary: draft.summary?.text ?? null,
    ...(flags.messages === true ? { messages: plannedBlocks(plan, session) } : {}),
  };
}

function figures({ tokens, total, messages }: Rung) {
  const by = Object.fromEntries(
    CATEGORIES.map((category) => [category.replaceAll(' ', '_'), Math.round(tokens[category])]),
  );
  return { total: Math.round(total), messages, ...by };
}

function commandOf({ family, session_id }: Told): string[] {
  return family.resumeCommand.map((word) => (word === family.id ? session_id : word));
}

function lines(session: SessionReader, plan: ClonePlan, written: Told | null): string[] {
  const { id, title } = session.document.session;
  const { before, after, ladder, model } = plan;
  const view = { ...screen(), isTerminal: true };
  const steps = ladder === null ? [] : shownRungs(before, ladder);
  const rungs = ladder === null ? [before, after] : [before, ...steps.map(({ rung }) => rung)];
  const taken = ladder === null ? 1 : steps.findIndex(({ number }) => number === ladder.fitting) + 1;
  const head = `${shortId(id)}  ${plain(title ?? '(no title)', 60)}`;
  const names = ladder === null ? rungs.map(({ name }) => name) : ['now', ...steps.map(({ number }) => String(number))];
  const isMarked = ladder !== null && ladder.fitting !== null;
  // Seven columns do not fit into 80 characters with every digit.
  const inCells = names.length > 5 && view.room < 100 ? tokens : amount;
  const table = tableLines(rowsFor(rungs, model.fixed), columnsFor(names, isMarked ? taken : -1, inCells), view);
  const how =
    model.samples === 0
      ? 'Tokens are a rough guess: the session recorded no usage to go by.'
      : `Tokens are estimates, by ${counted(model.samples, 'request')} whose usage the session recorded.`;
  const legend = steps.map(({ number, rung }) => `${number}  ${rung.name}`);
  if (ladder !== null) {
    table.unshift(...legend, '');
    table.push('', ...fitWords(ladder));
  }
  if (written === null) return [head, '', ...table, '', how, 'Nothing was written (--dry-run).'];
  return [
    `${head}\n→ ${written.session_id}  ${size(written.bytes)}`,
    '',
    ...table,
    '',
    how,
    '',
    'Go on with the copy:',
    resumeLine(written.session_id, commandOf(written), written.project),
  ];
}

/** The ladder begins with what else was asked for; where that is nothing, it is the session as it is now. */
function shownRungs(before: Rung, { rungs }: NonNullable<ClonePlan['ladder']>): { number: number; rung: Rung }[] {
  const numbered = rungs.map((rung, number) => ({ number, rung }));
  return numbered.filter(({ number, rung }) => number > 0 || Math.round(rung.total) !== Math.round(before.total));
}

function fitWords({ rungs, fitting, kept }: NonNullable<ClonePlan['ladder']>): string[] {
  if (fitting === null) return ['None of these fits.'];
  const kept_whole = `; the newest ${kept === 1 ? 'turn stays' : `${kept} turns stay`} whole`;
  return [
    fitting === 0 ? 'It fits without more.' : `It fits with step ${fitting}, ${rungs[fitting]?.name}${kept_whole}.`,
  ];
}

interface TokenRow {
  name: string;
  counts: number[];
}

function rowsFor(rungs: Rung[], fixed: number): TokenRow[] {
  const rows = CATEGORIES.map((category) => ({
    name: category as string,
    counts: rungs.map(({ tokens }) => tokens[category]),
  }));
  return [
    ...rows.filter(({ counts }) => counts.some((count) => count >= 0.5)),
    { name: "the agent's own", counts: rungs.map(() => fixed) },
    { name: 'tokens', counts: rungs.map(({ total }) => total) },
  ];
}

function columnsFor(names: string[], taken: number, inCells: (count: number) => string): Column<TokenRow>[] {
  return [
    { name: '', text: ({ name }) => name, tone: ({ name }) => (name === 'tokens' ? 'strong' : undefined) },
    ...names.map(
      (name, i): Column<TokenRow> => ({
        name: i === taken ? `▸${name}` : name,
        text: ({ counts }) => inCells(Math.round(counts[i] ?? 0)),
        right: true,
        tone: (row) => (row.name === 'tokens' || i === taken ? 'strong' : undefined),
      }),
    ),
  ];
}

function amount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
