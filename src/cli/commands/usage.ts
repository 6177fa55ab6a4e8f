import {
  type AgentName,
  type CurrentStore,
  callCounts,
  daySums,
  isOwnerOpen,
  ratesBy,
  type UsageGrouping,
  type UsageReport,
  type UsageSum,
  usageReport,
  usageSums,
} from '../../reports.ts';
import { dayOf, usageCsv } from '../../shown.ts';
import { dateFrom, isProject } from '../dates.ts';
import { fail, nothing } from '../failure.ts';
import { orEmpty } from '../or-empty.ts';
import { writeAll, writeJson } from '../output.ts';
import { writePaged } from '../pager.ts';
import { nothingFits } from '../places.ts';
import { screen } from '../screen.ts';
import { priceFile, type StoreOptions, withStore } from '../stored.ts';
import { ratesPage, usagePage } from '../usage-page.ts';

interface UsageFlags extends StoreOptions {
  by: UsageGrouping;
  rates?: 'tool' | 'model';
  agent?: AgentName;
  project?: string;
  since?: string;
  until?: string;
  csv?: boolean;
  json?: boolean;
  pager: boolean;
}

export async function usage(flags: UsageFlags): Promise<void> {
  const empty =
    flags.rates === undefined
      ? { kind: 'usage', value: () => usageReport([], { by: flags.by, ...daysFrom(flags) }) }
      : { kind: 'call-rates', value: () => [] };
  await orEmpty({ ...flags, ...empty }, () => show(flags));
}

/** Titles, and how calls ended, are known only when sessions were read; tokens can be had sooner, and nearly always whose they are. */
async function show(flags: UsageFlags): Promise<void> {
  if (flags.by === 'session' || flags.rates !== undefined) await showFrom(1, flags);
  else if (!(await showFrom(0, flags))) await showFrom(1, flags);
}

/** False where more must be read for an answer. */
async function showFrom(tier: 0 | 1, flags: UsageFlags): Promise<boolean> {
  return await withStore(flags, tier, async ({ store, roots, isCurrent }) => {
    const asksForProjects = flags.by === 'project' || flags.project !== undefined;
    if (tier === 0 && asksForProjects && isCurrent && isOwnerOpen(store, roots)) return false;
    if (flags.rates !== undefined) {
      const rates = ratesBy(callCounts(store, roots, wantedSessions(flags)), flags.rates);
      if (rates.length === 0) nothing('No call of a tool fits what was asked for.');
      if (flags.json === true) writeJson('call-rates', rates);
      else await writePaged(ratesPage(rates, flags.rates, screen()), { wanted: flags.pager });
      return true;
    }
    const report = reportFrom(store, roots, flags);
    if (report === null && !isCurrent)
      nothing('The index holds no tokens so far. Try again when it has been brought up to date.');
    if (report === null)
      nothing(
        'No session with tokens was found. Give a home with --home DIR, or --sample for the sessions that come with Palimpsest.',
      );
    if (report.groups.length === 0) nothing(nothingFits('request', flags));
    if (flags.json === true) writeJson('usage', report);
    else if (flags.csv === true) writeAll(usageCsv(report));
    else await writePaged(usagePage(report, screen(), priceFile(flags.prices) !== null), { wanted: flags.pager });
    return true;
  });
}

/** Null where there is nothing at all. What asks for no session and no project needs only the sums of the days. */
function reportFrom(store: CurrentStore['store'], roots: number[], flags: UsageFlags): UsageReport | null {
  const { by, agent, project } = flags;
  if (by === 'session' || by === 'project' || project !== undefined) {
    const sums = usageSums(store, roots);
    const wanted = sums.filter((sum) => isWanted(sum, flags));
    return sums.length === 0 ? null : usageReport(wanted, { by, ...daysFrom(flags) });
  }
  const sums = daySums(store, roots);
  const wanted = sums.filter((sum) => agent === undefined || sum.agent === agent);
  return sums.length === 0 ? null : usageReport(wanted, { by, ...daysFrom(flags) });
}

/** Of calls no time is kept: those of a session count if a list would show it. */
function wantedSessions(flags: UsageFlags): Parameters<typeof callCounts>[2] {
  const [since, until] = [dateFrom(flags.since, '--since') ?? '', dateFrom(flags.until, '--until') ?? '~'];
  return (session) =>
    isWanted(session, flags) && session.used_at >= since && (session.begun_at ?? session.used_at) < until;
}

function isWanted(sum: Pick<UsageSum, 'agent' | 'project'>, { agent, project }: UsageFlags): boolean {
  if (agent !== undefined && sum.agent !== agent) return false;
  return project === undefined || isProject(sum.project, project);
}

function daysFrom({ since, until }: UsageFlags): { since?: string; until?: string } {
  const [first, end] = [dayFrom(since, '--since'), dayFrom(until, '--until')];
  return { ...(first === null ? {} : { since: first }), ...(end === null ? {} : { until: end }) };
}

/** Sums are kept by day: a time within one cannot be asked for. */
function dayFrom(text: string | undefined, option: string): string | null {
  const time = dateFrom(text, option) ?? null;
  const day = dayOf(time);
  const isWithin = text !== undefined && /^\d{4}-\d\d-\d\d./.test(text) && time !== dateFrom(day ?? undefined, option);
  if (isWithin) fail(`Usage is counted by whole days: give ${option} ${day}, not "${text}".`);
  return day;
}
