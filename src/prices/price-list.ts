// Tariffs from the data of genai-prices. Its own `calcPrice` works out everything anew at each call (some 29,000 a second);
// a cold run has 80,000 requests of a handful of models. So it is asked once for each model, for the prices alone.

import type { ConditionalPrice, calcPrice, ModelPrice } from '@pydantic/genai-prices';
import type { Offer } from './model-name.ts';
import { completeRates, LOWEST, type Period, type Rates, type Tariff } from './tariff.ts';

export type Calculator = typeof calcPrice;

/** The prices that a model has had, oldest first; none where it is not in the list, or not sold by the token. */
export function listedPeriods({ provider, name }: Offer, calculate: Calculator): Period[] {
  const prices = calculate({}, name, { providerId: provider })?.model.prices ?? [];
  const conditional = Array.isArray(prices) ? prices : [{ prices }];
  const periods = conditional.map(({ constraint, prices }) => ({
    from: startOf(constraint),
    tariff: tariffOf(prices),
  }));
  return periods.every(isKnown) ? periods : [];
}

function isKnown(period: { from: number | null; tariff: Tariff | null }): period is Period {
  return period.from !== null && period.tariff !== null;
}

/** Null for prices that change with the hour of the day: none of those whose models we price has such ones. */
function startOf(constraint: ConditionalPrice['constraint']): number | null {
  if (constraint === undefined) return Number.NEGATIVE_INFINITY;
  return constraint.type === 'start_date' ? Date.parse(constraint.start_date) : null;
}

/** Null for what is not sold by tokens read and written, such as speech. A model without any price is free of charge. */
function tariffOf(prices: ModelPrice): Tariff | null {
  const isFree = Object.keys(prices).length === 0;
  if (isFree) return [{ above: LOWEST, rates: completeRates({ input: 0, output: 0, web_search: 0 }) }];
  if (prices.input_mtok === undefined || prices.output_mtok === undefined) return null;
  const step = (above: number) => ({ above, rates: ratesAbove(prices, above) });
  return [step(LOWEST), ...startsIn(prices).map(step)];
}

function startsIn(prices: ModelPrice): number[] {
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  );
  return [...new Set(starts)].sort((a, b) => a - b);
}

function ratesAbove(prices: ModelPrice, above: number): Rates {
  const at = (key: string) => priceAbove(prices[key], above);
  const searches = at('web_searches_kcount');
  return completeRates({
    input: at('input_mtok') ?? 0,
    output: at('output_mtok') ?? 0,
    cache_read: at('cache_read_mtok'),
    cache_write_5m: at('cache_write_mtok'),
    cache_write_1h: at('cache_write_1h_mtok'),
    web_search: searches === undefined ? undefined : searches / 1000,
  });
}

/** The price of a request that is a little larger. */
function priceAbove(price: ModelPrice[string], above: number): number | undefined {
  if (typeof price !== 'object') return price;
  const reached = price.tiers.filter(({ start }) => start <= above).sort((a, b) => a.start - b.start);
  return reached.at(-1)?.price ?? price.base;
}
