// The doctor on a whole history: what is wrong, what could not be read, what is big.

import {
  counted,
  cut,
  type Examined,
  examine,
  type FoundFamily,
  isWrong,
  plain,
  size,
  sources,
  widthOf,
  wrapText,
} from '../index.ts';
import { chooseMany, type FilterOptions } from './choose.ts';
import { now } from './now.ts';
import { orEmpty } from './or-empty.ts';
import { writeAll, writeJson } from './output.ts';
import { placeWords } from './places.ts';
import { progress } from './progress.ts';
import { type Screen, screen } from './screen.ts';
import { shortId } from './short-id.ts';

export interface DoctorFlags extends FilterOptions {
  fix?: boolean;
  into?: string;
  json?: boolean;
}

interface Seen {
  family: FoundFamily;
  found: Examined;
}

export async function examineAll(flags: DoctorFlags): Promise<void> {
  await orEmpty({ ...flags, kind: 'doctor', value: () => homeJson([]) }, () => show(flags));
}

function show(flags: DoctorFlags): void {
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
  const wrong = all.filter(
    ({ found }) => found.report?.faults.some((fault) => isWrong(fault) && !isOld(fault)) === true,
  );
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
  if (wrong.length === 0 && all.some(({ family, found }) => !family.isKept && found.report?.sent != null))
    lines.push(
      ...wrapText(
        'Nothing is wrong: a resume of each session, as far as we know its client, sends what is there.',
        view.width,
      ),
    );
  return lines;
}

function agentLines(mine: Seen[], flags: DoctorFlags, view: Screen): string[] {
  const lines: string[] = [];
  const soon = mine.filter(
    ({ family }) => (family.deletedAt()?.time_ms ?? Number.POSITIVE_INFINITY) < now() + 7 * DAY_MS,
  );
  if (soon.length > 0)
    lines.push(
      ...fitted(`✗ ${counted(soon.length, 'session')} will be deleted by the agent within a week`, view).map((line) =>
        line.replace('✗', view.paint('bad', '✗')),
      ),
      `  → pal keep${placeWords(flags)}`,
    );
  const kept = mine.filter(({ family }) => family.isKept).length;
  if (kept > 0)
    lines.push(
      ...fitted(`· ${counted(kept, 'session')} deleted by the agent: read from what was kept, not resumed`, view),
    );
  for (const [code, { count, sessions }] of troubles(mine))
    lines.push(...fitted(`! ${TROUBLES[code] ?? code}: ${count} in ${counted(sessions, 'session')}`, view));
  for (const { name, count, versions } of unknownTypes(mine))
    lines.push(
      ...fitted(
        `! rows of a kind that we do not know: ${plain(name, 60)} ×${count} (client ${versions.join(', ') || 'unknown'})`,
        view,
      ),
    );
  const { recorded, explained } = requestsOf(mine);
  if (recorded > 0) lines.push(`${explained} of ${counted(recorded, 'recorded request')} explained`);
  return lines;
}

/** Below the first line, lines are set in. All of them are set in by two more. */
function fitted(text: string, { room }: Screen): string[] {
  return widthOf(text) + 2 <= room ? [text] : wrapText(text, room - 4).map((line, i) => (i === 0 ? line : `  ${line}`));
}

const DAY_MS = 86_400_000;

/** That clients have left a form behind is nothing that went wrong with a history. */
function isOld({ code }: { code: string }): boolean {
  return code === 'old-format';
}

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
  'same-id-other-words': 'sessions in which rows have the id of others and other words',
  'giant-line': 'lines of more than 8 MB',
  'duplicate-uuid': 'messages that stand in the file again',
  'old-format': 'sessions that newer clients do not go on with',
};

function troubles(mine: Seen[]): Map<string, { count: number; sessions: number }> {
  const counts = new Map<string, { count: number; sessions: number }>();
  for (const { found } of mine) {
    const here = new Set<string>();
    const again = found.report?.faults.filter((fault) => fault.code === 'duplicate-uuid' || isOld(fault)) ?? [];
    for (const { code, count } of [...found.diagnostics, ...again].map((one) => ({ count: 1, ...one }))) {
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
    .map(({ found }) =>
      cut(
        `  ${size(found.bytes)}  ${shortId(found.id)}  ${shareWords(found)}  ${plain(found.title ?? '', 40)}`,
        view.room,
      ),
    );
  return [view.paint('title', 'The biggest'), ...lines, ''];
}

/** What takes most of its bytes. */
export function shareWords({ shares }: Examined): string {
  // The file itself may be packed.
  const all = shares.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = shares.slice(0, 3).filter(({ bytes }) => bytes > 0);
  if (largest.length === 0) return 'nothing';
  return largest.map(({ name, bytes }) => `${Math.round((bytes / all) * 100)} % ${plain(name, 40)}`).join(', ');
}

export function asJson(family: FoundFamily, { diagnostics, ...found }: Examined): Record<string, unknown> {
  return { agent: family.agent, ...found, diagnostics: diagnostics.map(({ code, message }) => ({ code, message })) };
}
