// Sums of usage → a report by day, week, month, model, project, agent or session.

import type { TokenCounts } from '../schema/message.ts';
import { addTokens, noTokens, wholeInput } from '../schema/tokens.ts';
import type { DaySum, UnpricedModel, UsageFigures, UsageGroup, UsageReport, UsageSum } from '../schema/usage-report.ts';
import type { AgentName, UsageGrouping } from '../schema/words.ts';
import { weekOf } from './iso-week.ts';

export interface UsageReportOptions {
  by: UsageGrouping;
  /** The first day. */
  since?: string | undefined;
  /** The day after the last. */
  until?: string | undefined;
}

/** Sums by day are enough for what asks neither for sessions nor for projects. */
type DayReportOptions = UsageReportOptions & { by: Exclude<UsageGrouping, 'session' | 'project'> };

/** Calendars begin with the oldest; of everything else comes first what cost most. */
export function usageReport(sums: Iterable<UsageSum>, options: UsageReportOptions): UsageReport;
export function usageReport(sums: Iterable<DaySum>, options: DayReportOptions): UsageReport;
export function usageReport(sums: Iterable<AnySum>, { by, since, until }: UsageReportOptions): UsageReport {
  const groups = new Map<string | null, Tally>();
  const unpriced = new Map<string | null, UnpricedModel>();
  let undated = 0;
  for (const sum of sums) {
    const isAsked = (since === undefined && until === undefined) || isWithin(sum.day, since, until);
    if (sum.day === null) undated += sum.requests;
    if (!isAsked) continue;
    const name = nameFor(sum, by);
    // The same id in two agents' histories is two sessions.
    const key = by === 'session' ? `${sum.agent} ${name}` : name;
    const tally = groups.get(key) ?? newTally(name, by === 'session' ? (sum.title ?? null) : null);
    groups.set(key, tally);
    addSum(tally, sum);
    if (sum.unpriced > 0) addUnpriced(unpriced, sum);
  }
  const totals = newTally(null, null);
  for (const tally of groups.values()) addFigures(totals, tally.tokens, tally);
  return {
    by,
    since: since ?? null,
    until: until ?? null,
    groups: [...groups.values()].map(groupOf).sort(isCalendar(by) ? byName : byCost),
    totals: figuresOf(totals),
    unpriced_models: [...unpriced.values()].sort((a, b) => b.tokens - a.tokens || compare(a.model, b.model)),
    undated_requests: undated,
  };
}

type AnySum = DaySum & Partial<UsageSum>;

function isWithin(day: string | null, since = '', until = '9999-99-99'): boolean {
  return day !== null && day >= since && day < until;
}

function nameFor(sum: AnySum, by: UsageGrouping): string | null {
  switch (by) {
    case 'day':
      return sum.day;
    case 'week':
      return sum.day === null ? null : weekOf(sum.day);
    case 'month':
      return sum.day === null ? null : sum.day.slice(0, 7);
    case 'model':
      return sum.model;
    case 'project':
      return sum.project ?? null;
    case 'agent':
      return sum.agent;
    case 'session':
      return sum.session_id ?? null;
  }
}

function isCalendar(by: UsageGrouping): boolean {
  return by === 'day' || by === 'week' || by === 'month';
}

/** What a group has so far. */
interface Tally {
  name: string | null;
  title: string | null;
  tokens: TokenCounts;
  agents: Set<AgentName>;
  models: Set<string>;
  requests: number;
  cost: number;
  unpriced: number;
  estimated: number;
}

function newTally(name: string | null, title: string | null): Tally {
  const none = { requests: 0, cost: 0, unpriced: 0, estimated: 0 };
  return { name, title, tokens: noTokens(), agents: new Set(), models: new Set(), ...none };
}

function addSum(tally: Tally, sum: DaySum): void {
  tally.agents.add(sum.agent);
  if (sum.model !== null) tally.models.add(sum.model);
  addFigures(tally, sum, sum);
}

type Figures = Pick<Tally, 'requests' | 'cost' | 'unpriced' | 'estimated'>;

function addFigures(tally: Tally, tokens: TokenCounts, { requests, cost, unpriced, estimated }: Figures): void {
  addTokens(tally.tokens, tokens);
  tally.requests += requests;
  tally.cost += cost;
  tally.unpriced += unpriced;
  tally.estimated += estimated;
}

function addUnpriced(unpriced: Map<string | null, UnpricedModel>, sum: DaySum): void {
  const { model } = sum;
  const known = unpriced.get(model) ?? { model, requests: 0, tokens: 0 };
  known.requests += sum.unpriced;
  known.tokens += totalOf(sum);
  unpriced.set(model, known);
}

function groupOf(tally: Tally): UsageGroup {
  const { name, title, agents, models } = tally;
  return { name, title, agents: [...agents].sort(), models: [...models].sort(), ...figuresOf(tally) };
}

function figuresOf({ tokens, requests, cost, unpriced, estimated }: Tally): UsageFigures {
  const isPriced = requests === 0 || unpriced < requests;
  return {
    requests,
    ...tokens,
    total_tokens: totalOf(tokens),
    cost: isPriced ? roundedCost(cost) : null,
    unpriced_requests: unpriced,
    estimated_requests: estimated,
  };
}

function totalOf(tokens: TokenCounts): number {
  return wholeInput(tokens) + tokens.output_tokens;
}

/**
 * Sums of binary fractions end in noise, another one for every order in which they are added. Prices have so few decimals that many sums
 * lie in the very middle between two of eight: so the noise goes first, then the rest.
 */
export function roundedCost(dollars: number): number {
  return Math.round(Math.round(dollars * 1e10) / 100) / 1e8;
}

function byName(a: UsageGroup, b: UsageGroup): number {
  return compare(a.name, b.name);
}

/** What has no known price stands last, by its tokens. */
function byCost(a: UsageGroup, b: UsageGroup): number {
  return (b.cost ?? -1) - (a.cost ?? -1) || b.total_tokens - a.total_tokens || byName(a, b);
}

/** What has no name stands last. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
}
