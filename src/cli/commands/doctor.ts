import {
  amount,
  counted,
  type Examined,
  examine,
  type FoundFamily,
  isWrong,
  type NativeFault,
  type NativeReport,
  openFile,
  plain,
  size,
  tokens,
  wrapText,
} from '../../index.ts';
import { chooseOne } from '../choose.ts';
import type { CloneFlags } from '../clone-options.ts';
import { asJson, type DoctorFlags, examineAll, shareWords } from '../doctor-history.ts';
import { FULL_TOKENS } from '../facts.ts';
import { fail } from '../failure.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { placeWords, shellWord } from '../places.ts';
import { canBeRepaired, holdsSomething, notResumed, withoutMain } from '../resume-line.ts';
import { type Screen, screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { cannotBeWritten, clone } from './clone.ts';

/** What is wrong with a history, or with one session; exit 1 where something is. */
export async function doctor(id: string | undefined, flags: DoctorFlags): Promise<void> {
  if (id === undefined) {
    if (flags.fix === true) fail('Name the session that is to be repaired: pal doctor ID --fix.');
    await examineAll(flags);
    return;
  }
  const chosen = chooseOne(id, flags);
  if (chosen.only !== null) fail(`${chosen.only} is a subagent: only its session is resumed, ${chosen.family.id}.`);
  const found = examine(chosen.family);
  const wrong = (found.report?.faults ?? []).some(isWrong);
  if (flags.fix === true) {
    await repair(id, chosen.family, found, flags);
    return;
  }
  if (flags.json === true) writeJson('doctor', asJson(chosen.family, found));
  else writeAll(sessionLines(chosen.family, found, { ...flags, given: id }, screen()).map((line) => `${line}\n`));
  if (wrong) process.exitCode = 1;
}

/** A repaired copy. The session itself stays as it is. */
async function repair(id: string, family: FoundFamily, { report }: Examined, flags: DoctorFlags): Promise<void> {
  if (family.writer === null) fail(cannotBeWritten(family));
  if (!family.hasMain) fail(withoutMain(family));
  const faults = report?.faults ?? [];
  if (!faults.some(({ effect }) => effect !== 'normal'))
    fail('There is nothing to repair: a resume sends what is there. "pal clone" makes slimmer copies.');
  if (!holdsSomething(faults)) fail('There is nothing in it that a repaired copy could hold.');
  const codes = new Set(faults.map(({ code }) => code));
  const stripThinking = codes.has('thinking-refused') || codes.has('unsigned-thinking');
  const options: CloneFlags = {
    ...flags,
    mend: true,
    summarizeTimeout: 0,
    ...(stripThinking ? { stripThinking } : {}),
  };
  const written = await clone(id, options);
  for (const line of repairs(faults)) say(line);
  const after = written === null ? null : (openFile(written.path)?.check() ?? null);
  if (after?.sent != null && report?.sent != null)
    say(
      `A resume of the copy sends ${amount(after.sent)} of ${amount(after.of ?? 0)} messages; of the session it would send ${amount(report.sent)} of ${amount(report.of ?? 0)}.`,
    );
}

const REPAIRS: Record<string, string> = {
  'missing-parent': 'The chain was joined where a row is missing.',
  'torn-branch': 'Messages that hung on missing rows were taken into the chain.',
  'null-parent': 'The chain was joined where it began anew.',
  'no-parent': 'Every row says again what it hangs on.',
  cycle: 'The chain was made straight.',
  'no-timestamp': 'Rows without a time got one.',
  'duplicate-uuid': 'Each row is there once.',
  'orphan-result': 'Results without a call were left out.',
  'twice-answered': 'Second answers to a call were left out.',
  'open-call': 'Calls without a result were left out; of the last, a line says that they were made.',
  'thinking-refused': 'All thinking was left out.',
  'unsigned-thinking': 'All thinking was left out.',
  'oversized-image': 'Images that are too large were left out.',
  'empty-text': 'Empty texts were left out.',
  'newest-not-last': 'Rows got times in the order of the chain.',
  'result-elsewhere': 'Results stand after their calls.',
};

/** Where the chain is broken, a result may have its call all the same. */
const BREAKS = ['missing-parent', 'torn-branch', 'null-parent', 'no-parent'];
const JOINED_RESULTS = 'Results stand with their calls again; those that have none were left out.';

function repairs(faults: NativeFault[]): string[] {
  const isBroken = faults.some(({ code }) => BREAKS.includes(code));
  const told = faults.flatMap(({ code }) =>
    code === 'orphan-result' && isBroken ? [JOINED_RESULTS] : (REPAIRS[code] ?? []),
  );
  return [...new Set(told)];
}

function sessionLines(
  family: FoundFamily,
  found: Examined,
  { given, ...flags }: DoctorFlags & { given: string },
  view: Screen,
): string[] {
  const { id, title, report, requests } = found;
  const lines = [
    `${view.paint('title', `${shortId(id)}  ${plain(title ?? '(no title)', 60)}`)}  ${size(found.bytes)}`,
    '',
  ];
  if (family.isKept) lines.push(...wrapText(notResumed(family), view.width));
  else if (report?.sent != null && report.of !== null)
    lines.push(`A resume would send ${amount(report.sent)} of ${amount(report.of)} messages${alsoSent(report)}.`);
  const faults = report?.faults ?? [];
  for (const fault of [...faults].sort((a, b) => RANK[a.effect] - RANK[b.effect]))
    lines.push(
      ...wrapText(`${markOf(fault, view)} ${plain(fault.message, 400)}`, Math.min(view.width, 120)).map((line, i) =>
        i === 0 ? line : `  ${line}`,
      ),
    );
  for (const line of diagnosticLines(found, faults)) lines.push(`  ${line}`);
  if (report?.sent == null) lines.push('What a resume of it would send is not known: it was only read.');
  if (requests.recorded > 0)
    lines.push(`${requests.explained} of ${counted(requests.recorded, 'recorded request')} explained.`);
  lines.push(...wrapText(`What makes it big, by bytes: ${shareWords(found)}.`, view.width));
  const full = found.context_tokens ?? 0;
  if (full >= FULL_TOKENS && family.writer !== null)
    lines.push(
      `Its last request had ${tokens(full)} tokens → pal clone ${shortId(id)} --budget 60k --dry-run${placeWords(flags)}`,
    );
  if (faults.some(isWrong) && canBeRepaired(family, faults))
    lines.push(
      '',
      `A repaired copy: pal doctor ${family.isAlone ? shellWord(given) : shortId(id)} --fix${placeWords(flags)}`,
    );
  else if (!faults.some(isWrong) && report?.sent != null && !family.isKept) lines.push('', soundWords(faults, found));
  return lines;
}

function soundWords(faults: NativeFault[], { diagnostics }: Examined): string {
  const broken = diagnostics.filter(({ code }) => code === 'bad-json' || code === 'torn-line').length;
  if (broken > 0) return `What stood in ${counted(broken, 'broken line')} is lost; a resume goes on without it.`;
  const isMended = faults.some(({ effect }) => effect === 'mended');
  return isMended ? 'Nothing is lost: the client mends that by itself.' : 'Nothing is wrong with it.';
}

/** Where clients differ: each figure with its version. */
function alsoSent({ by, also }: NativeReport): string {
  const others = also.map(({ client, sent }) => `${amount(sent)} with ${client}`);
  return by === null ? '' : ` with clients ${by}, ${others.join(', ')}; those between were not tried`;
}

const RANK = { refused: 0, lost: 1, mended: 2, normal: 3 };

function markOf({ effect }: NativeFault, { paint }: Screen): string {
  if (effect === 'refused' || effect === 'lost') return paint('bad', '✗');
  return effect === 'mended' ? '!' : '·';
}

/** What could not be read; what the report says already is not said again. */
function diagnosticLines({ diagnostics }: Examined, faults: NativeFault[]): string[] {
  const said = new Set(faults.map(({ code }) => code));
  const left = diagnostics.filter(({ code }) => !said.has(code) && !QUIET.has(code));
  return [...new Set(left.map(({ message }) => plain(message, 200)))].slice(0, 10);
}

const QUIET = new Set(['no-final-newline', 'carriage-returns', 'missing-parent']);
