// What `pal clone` tells of a copy: a table for people, JSON for programs.

import {
  amount,
  CATEGORIES,
  type ClonePlan,
  counted,
  type FoundFamily,
  plain,
  plannedBlocks,
  type Rung,
  type SessionReader,
  size,
  tokens,
  turnsOf,
} from '../index.ts';
import type { CloneFlags } from './clone-options.ts';
import { writeAll, writeJson } from './output.ts';
import { resumeLine } from './resume-line.ts';
import { screen } from './screen.ts';
import { shortId } from './short-id.ts';
import { type Column, tableLines } from './table.ts';

/** A copy that was written. */
export interface Told {
  session_id: string;
  path: string;
  bytes: number;
  project: string | null;
  family: FoundFamily;
}

export function tell(session: SessionReader, plan: ClonePlan, flags: CloneFlags, written: Told | null): void {
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
  const notes = model.unrecorded < 0.5 ? [how] : [how, UNRECORDED];
  const legend = steps.map(({ number, rung }) => `${number}  ${rung.name}`);
  if (ladder !== null) {
    table.unshift(...legend, '');
    table.push('', ...fitWords(ladder));
  }
  if (written === null) return [head, '', ...table, '', ...notes, 'Nothing was written (--dry-run).'];
  return [
    `${head}\n→ ${written.session_id}  ${size(written.bytes)}`,
    '',
    ...table,
    '',
    ...notes,
    '',
    'Go on with the copy:',
    resumeLine(written.session_id, [commandOf(written)], written.project),
  ];
}

const UNRECORDED =
  'Not recorded is what its last requests had beyond the rest: files that the client attached by itself, or tools that were added since.\nA copy is counted without it; tools that are still there come on top.';

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
