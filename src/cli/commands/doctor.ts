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
  sources,
  tokens,
  wrapText,
} from '../../index.ts';
import { chooseMany, chooseOne, type FilterOptions } from '../choose.ts';
import type { CloneFlags } from '../clone-options.ts';
import { FULL_TOKENS } from '../facts.ts';
import { fail } from '../failure.ts';
import { now } from '../now.ts';
import { say, writeAll, writeJson } from '../output.ts';
import { placeWords } from '../places.ts';
import { progress } from '../progress.ts';
import { type Screen, screen } from '../screen.ts';
import { shortId } from '../short-id.ts';
import { cannotBeWritten, clone } from './clone.ts';

interface DoctorFlags extends FilterOptions {
  fix?: boolean;
  into?: string;
  json?: boolean;
}

/** What is wrong with a history, or with one session; exit 1 where something is. */
export async function doctor(id: string | undefined, flags: DoctorFlags): Promise<void> {
  if (id === undefined) {
    if (flags.fix === true) fail('Name the session that is to be repaired: pal doctor ID --fix.');
    examineAll(flags);
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
  else writeAll(sessionLines(chosen.family, found, flags, screen()).map((line) => `${line}\n`));
  if (wrong) process.exitCode = 1;
}

/** A repaired copy. The session itself stays as it is. */
async function repair(id: string, family: FoundFamily, { report }: Examined, flags: DoctorFlags): Promise<void> {
  if (family.writer === null) fail(cannotBeWritten(family));
  const faults = report?.faults ?? [];
  if (!faults.some(({ effect }) => effect !== 'normal'))
    fail('There is nothing to repair: a resume sends what is there. "pal clone" makes slimmer copies.');
  if (!canRepair(faults)) fail('There is nothing in it that a repaired copy could hold.');
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

/** There must be something to write, and it must be readable. */
function canRepair(faults: NativeFault[]): boolean {
  return !faults.some(({ code }) => code === 'no-messages' || code === 'unreadable-file');
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
  'open-call': 'Calls without a result were left out.',
  'thinking-refused': 'All thinking was left out.',
  'unsigned-thinking': 'All thinking was left out.',
  'oversized-image': 'Images that are too large were left out.',
  'empty-text': 'Empty texts were left out.',
  'newest-not-last': 'Rows got times in the order of the chain.',
  'result-elsewhere': 'Results stand after their calls.',
};

function repairs(faults: NativeFault[]): string[] {
  return [...new Set(faults.flatMap(({ code }) => REPAIRS[code] ?? []))];
}

function sessionLines(family: FoundFamily, found: Examined, flags: DoctorFlags, view: Screen): string[] {
  const { id, title, report, requests } = found;
  const lines = [
    `${view.paint('title', `${shortId(id)}  ${plain(title ?? '(no title)', 60)}`)}  ${size(found.bytes)}`,
    '',
  ];
  if (report?.sent != null && report.of !== null)
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
  lines.push(`What makes it big, by bytes: ${shareWords(found)}.`);
  const full = found.context_tokens ?? 0;
  if (full >= FULL_TOKENS && family.writer !== null)
    lines.push(
      `Its last request had ${tokens(full)} tokens → pal clone ${shortId(id)} --budget 60k --dry-run${placeWords(flags)}`,
    );
  if (faults.some(isWrong) && family.writer !== null && canRepair(faults))
    lines.push('', `A repaired copy: pal doctor ${shortId(id)} --fix${placeWords(flags)}`);
  else if (!faults.some(isWrong) && report?.sent != null) lines.push('', soundWords(faults));
  return lines;
}

function soundWords(faults: NativeFault[]): string {
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

function shareWords({ shares, bytes }: Examined): string {
  const largest = shares.slice(0, 3).filter((share) => share.bytes > 0);
  if (largest.length === 0 || bytes === 0) return 'nothing';
  return largest.map((share) => `${Math.round((share.bytes / bytes) * 100)} % ${plain(share.name, 40)}`).join(', ');
}

function asJson(family: FoundFamily, { diagnostics, ...found }: Examined) {
  return { agent: family.agent, ...found, diagnostics: diagnostics.map(({ code, message }) => ({ code, message })) };
}

interface Seen {
  family: FoundFamily;
  found: Examined;
}

function examineAll(flags: DoctorFlags): void {
  const families = chooseMany([], flags).map(({ family }) => family);
  const shown = progress(
    'examining',
    families.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const all: Seen[] = families.map((family) => {
    const found = examine(family);
    shown.add(family.bytes);
    return { family, found };
  });
  shown.end();
  const wrong = all.filter(({ found }) => found.report?.faults.some(isWrong) === true);
  const unread = all.filter(({ found }) => found.diagnostics.some(({ code }) => code === 'unreadable-file'));
  if (flags.json === true) writeJson('doctor', homeJson(all));
  else writeAll(homeLines(all, wrong, flags, screen()).map((line) => `${line}\n`));
  if (wrong.length > 0 || unread.length > 0) process.exitCode = 1;
}

function homeJson(all: Seen[]) {
  return {
    sessions: all.map(({ family, found }) => asJson(family, found)),
    requests: requestsOf(all),
    unknown_types: unknownTypes(all),
  };
}

function homeLines(all: Seen[], wrong: Seen[], flags: DoctorFlags, view: Screen): string[] {
  const lines: string[] = [];
  for (const source of sources) {
    const mine = all.filter(({ family }) => family.agent === source.agent);
    if (mine.length === 0) continue;
    const bytes = mine.reduce((sum, { found }) => sum + found.bytes, 0);
    lines.push(`${view.paint('title', source.label)}  ${counted(mine.length, 'session')}, ${size(bytes)}`);
    lines.push(...agentLines(mine, flags, view).map((line) => `  ${line}`), '');
  }
  lines.push(...wrongLines(wrong, flags, view), ...biggestLines(all, view));
  if (wrong.length === 0 && all.some(({ found }) => found.report?.sent != null))
    lines.push('Nothing is wrong: a resume of each session, as far as we know its client, sends what is there.');
  return lines;
}

function agentLines(mine: Seen[], flags: DoctorFlags, view: Screen): string[] {
  const lines: string[] = [];
  const soon = mine.filter(
    ({ family }) => (family.deletedAt()?.time_ms ?? Number.POSITIVE_INFINITY) < now() + 7 * DAY_MS,
  );
  if (soon.length > 0)
    lines.push(
      `${view.paint('bad', '✗')} ${counted(soon.length, 'session')} will be deleted by the agent within a week → pal keep${placeWords(flags)}`,
    );
  for (const [code, { count, sessions }] of troubles(mine))
    lines.push(`! ${TROUBLES[code] ?? code}: ${count} in ${counted(sessions, 'session')}`);
  for (const { name, count, versions } of unknownTypes(mine))
    lines.push(
      `! rows of a kind that we do not know: ${plain(name, 60)} ×${count} (client ${versions.join(', ') || 'unknown'})`,
    );
  const { recorded, explained } = requestsOf(mine);
  if (recorded > 0) lines.push(`${explained} of ${counted(recorded, 'recorded request')} explained`);
  return lines;
}

const DAY_MS = 86_400_000;

const TROUBLES: Record<string, string> = {
  'unreadable-file': 'files that cannot be read',
  'read-error': 'files that could not be read to their end',
  'torn-line': 'lines that are torn',
  'glued-line': 'lines that hold several rows',
  'bad-json': 'lines that are no JSON',
  'invalid-utf8': 'lines with bytes that are no text',
  'nul-bytes': 'lines with NUL bytes',
  'request-mismatch': 'recorded requests that we cannot explain',
  'missing-parent': 'messages whose parent is not in the file',
  'giant-line': 'lines of more than 8 MB',
  'duplicate-uuid': 'messages that stand in the file again',
};

function troubles(mine: Seen[]): Map<string, { count: number; sessions: number }> {
  const counts = new Map<string, { count: number; sessions: number }>();
  for (const { found } of mine) {
    const here = new Set<string>();
    const again = found.report?.faults.filter(({ code }) => code === 'duplicate-uuid') ?? [];
    for (const { code, count } of [...found.diagnostics.map((one) => ({ ...one, count: 1 })), ...again]) {
      if (!Object.hasOwn(TROUBLES, code)) continue;
      const entry = counts.get(code) ?? { count: 0, sessions: 0 };
      entry.count += count;
      if (!here.has(code)) entry.sessions++;
      here.add(code);
      counts.set(code, entry);
    }
  }
  return counts;
}

function unknownTypes(all: Seen[]): { name: string; count: number; versions: string[] }[] {
  const types = new Map<string, { count: number; versions: Set<string> }>();
  for (const { found } of all) {
    for (const [name, count] of Object.entries(found.unknown_types)) {
      const entry = types.get(name) ?? { count: 0, versions: new Set() };
      entry.count += count;
      for (const version of found.client_versions) entry.versions.add(version);
      types.set(name, entry);
    }
  }
  return [...types].map(([name, { count, versions }]) => ({ name, count, versions: [...versions] }));
}

function requestsOf(all: Seen[]): { recorded: number; explained: number } {
  return {
    recorded: all.reduce((sum, { found }) => sum + found.requests.recorded, 0),
    explained: all.reduce((sum, { found }) => sum + found.requests.explained, 0),
  };
}

const SHOWN = 10;

function wrongLines(wrong: Seen[], flags: DoctorFlags, view: Screen): string[] {
  if (wrong.length === 0) return [];
  const lines = wrong.slice(0, SHOWN).flatMap(({ found }) => {
    const [worst] = (found.report?.faults ?? []).filter(isWrong);
    return [
      `${view.paint('bad', '✗')} ${shortId(found.id)}  ${plain(found.title ?? '(no title)', 50)}`,
      ...wrapText(plain(worst?.message ?? '', 300), Math.min(view.width, 120) - 4).map((line) => `    ${line}`),
    ];
  });
  const more =
    wrong.length > SHOWN ? [`  … and ${wrong.length - SHOWN} more: pal doctor --json${placeWords(flags)}`] : [];
  const [first] = wrong;
  const next = first === undefined ? [] : [`  → pal doctor ${shortId(first.found.id)}${placeWords(flags)}`];
  return [
    view.paint('title', `${counted(wrong.length, 'session')} that a resume would not send whole`),
    ...lines,
    ...more,
    ...next,
    '',
  ];
}

/** Sessions from this size on are worth looking at. */
const BIG_BYTES = 5_000_000;

function biggestLines(all: Seen[], view: Screen): string[] {
  const big = all.filter(({ found }) => found.bytes >= BIG_BYTES).sort((a, b) => b.found.bytes - a.found.bytes);
  if (big.length === 0) return [];
  const lines = big
    .slice(0, 5)
    .map(
      ({ found }) =>
        `  ${size(found.bytes)}  ${shortId(found.id)}  ${shareWords(found)}  ${plain(found.title ?? '', 40)}`,
    );
  return [view.paint('title', 'The biggest'), ...lines, ''];
}
