// Prices as numbers, and the cost of a request at them.

import type { TokenCounts } from '../schema/message.ts';
import { wholeInput } from '../schema/tokens.ts';

/** Dollars per million tokens; web searches in dollars each. */
export interface Rates {
  input: number;
  output: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
  web_search: number;
}

/** Rates as a list states them: what it leaves out follows from the others. */
export type StatedRates = Pick<Rates, 'input' | 'output'> & { [kind in keyof Rates]?: number | undefined };

/** The whole of a request is priced by one step: the last whose bound its input, cached or not, lies above. */
interface Step {
  above: number;
  rates: Rates;
}

/** Steps by their bounds, the lowest first: that one holds for every request. */
export type Tariff = [Step, ...Step[]];

/** A tariff, and since when it holds (milliseconds, UTC). */
export interface Period {
  from: number;
  tariff: Tariff;
}

/** As a text from which the same comes again. JSON has no word for "since ever". */
export function periodsText(periods: Period[]): string {
  return JSON.stringify(
    periods.map((period) => ({ ...period, from: Number.isFinite(period.from) ? period.from : null })),
  );
}

export function periodsFrom(text: string): Period[] {
  const periods = JSON.parse(text) as (Omit<Period, 'from'> & { from: number | null })[];
  return periods.map((period) => ({ ...period, from: period.from ?? Number.NEGATIVE_INFINITY }));
}

/** Below every size of a request. */
export const LOWEST = -1;

/** The tariff of that time. A request without a time is priced at the model's first prices. */
export function tariffAt(periods: Period[], timestamp: string | null): Tariff | undefined {
  const [first] = periods;
  if (periods.length < 2 || timestamp === null) return first?.tariff;
  const time = Date.parse(timestamp);
  return (periods.findLast(({ from }) => time >= from) ?? first)?.tariff;
}

/** Reasoning is in the output already. */
export function costAt(tariff: Tariff, usage: TokenCounts): number {
  const { rates } = stepFor(tariff, wholeInput(usage));
  const tokens =
    usage.input_tokens * rates.input +
    usage.cache_read_tokens * rates.cache_read +
    usage.cache_write_5m_tokens * rates.cache_write_5m +
    usage.cache_write_1h_tokens * rates.cache_write_1h +
    usage.output_tokens * rates.output;
  return tokens / 1e6 + usage.web_searches * rates.web_search;
}

function stepFor(tariff: Tariff, input: number): Step {
  let [step] = tariff;
  for (const next of tariff) if (input > next.above) step = next;
  return step;
}

/** Anthropic: 10 dollars for 1,000 searches (platform.claude.com/docs/en/about-claude/pricing); OpenAI's list says the same. */
const WEB_SEARCH = 0.01;
/** Anthropic: one-hour writes cost 2 × the input, five-minute writes 1.25 × (the same page). */
const HOUR_BY_FIVE_MINUTES = 1.6;

/** What a list does not price apart is priced as input, as genai-prices has it. */
export function completeRates(stated: StatedRates): Rates {
  const { input, output, cache_read, cache_write_5m, cache_write_1h, web_search } = stated;
  const hour = cache_write_5m === undefined ? input : cache_write_5m * HOUR_BY_FIVE_MINUTES;
  return {
    input,
    output,
    cache_read: cache_read ?? input,
    cache_write_5m: cache_write_5m ?? input,
    cache_write_1h: cache_write_1h ?? hour,
    web_search: web_search ?? WEB_SEARCH,
  };
}
