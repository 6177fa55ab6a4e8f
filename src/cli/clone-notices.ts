// What a person should know of a planned copy: what had no effect, and what cannot be done.

import {
  amount,
  type CloneOptions,
  type ClonePlan,
  counted,
  KEEP_LAST,
  plain,
  planClone,
  type SessionReader,
  turnsOf,
} from '../index.ts';
import type { CloneFlags } from './clone-options.ts';
import { fail } from './failure.ts';
import { say } from './output.ts';

export function nothingLeft(isBeingWritten: boolean, { at }: CloneFlags): string {
  if (isBeingWritten) return 'It has no whole turn yet.';
  if (at !== undefined) return `Nothing whole was said up to message ${at}: a copy ends with a reply of the agent.`;
  return 'Nothing of the session would be left in the copy: it holds no message that the model still sees.';
}

/** What was asked for and did nothing, so that nobody wonders. */
export function withoutEffect(
  session: SessionReader,
  { draft, isTouched, hadOversizedImages, model }: ClonePlan,
  options: CloneOptions,
): string[] {
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
    lines.push('All of its turns were summed up: none stays as it was.');
  const last = draft.messages.at(-1)?.index;
  if (at !== undefined && last !== undefined && last !== at)
    lines.push(
      `Message ${at} stands within a turn: the copy ends with message ${last}, the last that the agent said whole.`,
    );
  if (hadOversizedImages && options.stripImages !== true)
    lines.push('Images of more than 5 MB were left out: no server takes them.');
  if (lines.length === 0 && !isTouched && mend !== true && budget === undefined)
    lines.push(
      model.unrecorded > 0
        ? 'Nothing was taken out: the copy has all that the session records.'
        : 'Nothing was taken out: the copy has as many tokens as the session.',
    );
  return lines;
}

/** A look beforehand runs no command of anybody's: its summary may be longer or shorter than the one that is counted. */
export function commandNotRun({ draft }: ClonePlan, { dryRun, summarizeWith }: CloneFlags): string[] {
  const isSummed = draft.summary !== null && draft.summary.replaced.length > 0;
  return dryRun === true && summarizeWith !== undefined && isSummed
    ? [
        'The command of --summarize-with was not run (--dry-run): the summary, and its tokens, are those of the built-in one.',
      ]
    : [];
}

/** A budget that cannot be met: the least that can be reached, and what would help. */
export function refuseBudget(session: SessionReader, plan: ClonePlan, options: CloneOptions, flags: CloneFlags): void {
  const { ladder, model } = plan;
  const { budget } = options;
  if (ladder === null || ladder.fitting !== null || budget === undefined) return;
  const own = `${amount(model.fixed)} of them are the agent's own instructions and tools`;
  const least = Math.min(...ladder.rungs.map(({ total }) => total));
  const words =
    model.fixed >= budget
      ? `No copy fits into ${amount(budget)} tokens: the agent's own instructions and tools alone are about ${amount(model.fixed)}.`
      : `It cannot be made to fit into ${amount(budget)} tokens with the newest ${ladder.kept} of its turns whole: that takes about ${amount(least)}, and ${own}.${fewerTurns(session, options, ladder.kept)}`;
  if (flags.dryRun !== true) fail(`${words}\nNothing was written.`);
  say(words);
  process.exitCode = 1;
}

/** The largest --keep-last with which it fits. */
function fewerTurns(session: SessionReader, options: CloneOptions, kept: number): string {
  // A guess is enough: no command is run for it.
  const { summarise: _command, ...rest } = options;
  for (const keepLast of [2, 1, 0].filter((fewer) => fewer < kept)) {
    const { ladder, after } = planClone(session, {
      ...rest,
      allRungs: false,
      keepLast,
    });
    if (ladder?.fitting !== null) return `\nWith --keep-last ${keepLast} it fits: about ${amount(after.total)} tokens.`;
  }
  return '';
}
