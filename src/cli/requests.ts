// The requests of many sessions, each once: a copy of a session, or a resumed one, may hold requests of another.

import {
  type AgentName,
  addTokens,
  noTokens,
  type Prices,
  roundedCost,
  type TokenCounts,
  type UsageRow,
} from '../index.ts';

/** Dollars by model; null where it has no known price. */
export type Costs = Record<string, number | null>;

export class Requests {
  private readonly known = new Map<string, UsageRow>();
  private readonly unnamed: UsageRow[] = [];

  /** Of those that stand in several places the one counts that saw most: a file may have been copied while a reply was being written. */
  add(agent: AgentName, rows: UsageRow[]): void {
    for (const row of rows) {
      if (row.key === null) {
        this.unnamed.push(row);
        continue;
      }
      const key = `${agent} ${row.key}`;
      const before = this.known.get(key);
      if (before === undefined || row.usage.output_tokens > before.usage.output_tokens) this.known.set(key, row);
    }
  }

  tokens(): Record<string, TokenCounts> {
    const sums: Record<string, TokenCounts> = Object.create(null);
    for (const row of this.all()) {
      const sum = sums[nameOf(row)] ?? noTokens();
      addTokens(sum, row.usage);
      sums[nameOf(row)] = sum;
    }
    return sums;
  }

  /** Request by request: prices have steps. Whether there is one hangs on the model alone. */
  costs(prices: Prices): Costs {
    const sums: Costs = Object.create(null);
    for (const row of this.all()) {
      const cost = prices.costOf(row);
      const sum = sums[nameOf(row)] ?? null;
      sums[nameOf(row)] = cost === null ? sum : (sum ?? 0) + cost;
    }
    for (const [model, sum] of Object.entries(sums)) sums[model] = sum === null ? null : roundedCost(sum);
    return sums;
  }

  private *all(): Generator<UsageRow> {
    yield* this.known.values();
    yield* this.unnamed;
  }
}

function nameOf({ model }: UsageRow): string {
  return model ?? 'unknown';
}
