// What a history cost, as reports tell it.

import type { TokenCounts } from './message.ts';
import type { AgentName, UsageGrouping } from './words.ts';

/** Requests of one agent, one day and one model, each priced by itself and then added. */
export interface DaySum extends TokenCounts {
  agent: AgentName;
  /** 2026-11-15, as the clock on the wall had it; null where no time is recorded. */
  day: string | null;
  model: string | null;
  requests: number;
  /** Dollars, of the requests that have a known price. */
  cost: number;
  /** Requests without one. A price hangs on the model, so those of the sum that have one had no tokens. */
  unpriced: number;
  /** Requests whose tokens are estimates. */
  estimated: number;
}

/** The same of one session. */
export interface UsageSum extends DaySum {
  session_id: string;
  title: string | null;
  project: string | null;
}

export interface UsageFigures extends TokenCounts {
  /** Read, from the cache or not, and written. Reasoning is in the output already. */
  total_tokens: number;
  requests: number;
  /** Dollars; null where not one request has a known price. */
  cost: number | null;
  /** Requests that are not in the cost. */
  unpriced_requests: number;
  /** Requests whose tokens are estimates. */
  estimated_requests: number;
}

/** One line of a report. */
export interface UsageGroup extends UsageFigures {
  /** 2026-11-15, 2026-W46, 2026-11, a model, a project's folder, an agent or a session's id; null where the history does not tell. */
  name: string | null;
  /** Of a session. */
  title: string | null;
  agents: AgentName[];
  models: string[];
}

/** A model without a known price. */
export interface UnpricedModel {
  model: string | null;
  requests: number;
  tokens: number;
}

export interface UsageReport {
  by: UsageGrouping;
  /** The first day, and the day after the last. */
  since: string | null;
  until: string | null;
  groups: UsageGroup[];
  totals: UsageFigures;
  /** Most tokens first. */
  unpriced_models: UnpricedModel[];
  /** Requests without a time: where days are asked for, nobody knows whether they belong to them. */
  undated_requests: number;
}

/** How calls of a tool, asked for by a model, ended. */
export interface CallCount extends CallEnds {
  tool: string;
  model: string | null;
  calls: number;
}

export interface CallEnds {
  rejected: number;
  interrupted: number;
  denied: number;
  failed: number;
}

export interface CallRates extends CallEnds {
  /** A tool or a model; null where the history does not tell. */
  name: string | null;
  calls: number;
  /** The same counts, of a hundred calls. */
  per_100: CallEnds;
}
