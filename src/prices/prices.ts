// What a request cost, by the list prices of those who sell the model. Prices have steps per request (from some size of
// the input on everything costs more), so a request is priced by itself, never a sum of several.

import { createHash } from 'node:crypto';
import type { TokenCounts } from '../schema/message.ts';
import { offersOf } from './model-name.ts';
import { type PriceFile, pricesInFile } from './price-file.ts';
import { type Calculator, listedPeriods } from './price-list.ts';
import { costAt, type Period, periodsFrom, periodsText, tariffAt } from './tariff.ts';

/** What the cost of a request hangs on. */
interface PricedRequest {
  model: string | null;
  timestamp: string | null;
  usage: TokenCounts;
}

export interface Prices {
  /** Changes whenever a cost may. */
  readonly version: string;
  /** Dollars; null where the model has no known price. A request without any token costs nothing, whatever its model. */
  costOf(request: PricedRequest): number | null;
}

/** Of `@pydantic/genai-prices`, as package.json pins it: a test holds the two together. Its data take milliseconds to load. */
const PACKAGE_VERSION = '0.1.8';
/** To be raised by one whenever this folder comes to another cost from the same prices. */
const RULES = 1;

/** The version of the prices that `loadPrices` would give, without loading them: costs that were kept under it still hold. */
export function pricesVersion(file: PriceFile | null): string {
  const own = file === null ? 'none' : createHash('sha256').update(file.text).digest('hex').slice(0, 16);
  return `genai-prices ${PACKAGE_VERSION}, rules ${RULES}, price file ${own}`;
}

/** The prices of a file, where one is given, stand above those of the package. Throws where the file cannot be used. */
export async function loadPrices(file: PriceFile | null): Promise<Prices> {
  const known = new Map<string, Period[]>();
  const look = await priceFinder(file);
  const periodsOf = (model: string): Period[] => {
    const found = known.get(model) ?? look(model);
    known.set(model, found);
    return found;
  };
  return { version: pricesVersion(file), costOf: costAtPrices(periodsOf) };
}

/** What models cost, as texts that hold as long as the version of the prices is the same. */
export type Tariffs = Readonly<Record<string, string>>;

export interface KeptPrices extends Pick<Prices, 'costOf'> {
  tariffs: Tariffs;
}

/** The prices of these models alone. Where all of them are known already, the list of all prices is not loaded. */
export async function pricesOfModels(
  file: PriceFile | null,
  models: Iterable<string>,
  known: Tariffs,
): Promise<KeptPrices> {
  const tariffs = new Map(Object.entries(known));
  const unknown = [...models].filter((model) => !tariffs.has(model));
  // Without any that is known, nobody has looked yet whether the file can be used.
  if (unknown.length > 0 || tariffs.size === 0) {
    const look = await priceFinder(file);
    for (const model of unknown) tariffs.set(model, periodsText(look(model)));
  }
  const periods = new Map([...tariffs].map(([model, text]) => [model, periodsFrom(text)]));
  return { costOf: costAtPrices((model) => periods.get(model) ?? []), tariffs: Object.fromEntries(tariffs) };
}

/** The same as a store wants them: loaded only if something must be priced. */
export function storePrices(file: PriceFile | null) {
  return {
    version: pricesVersion(file),
    load: (models: Iterable<string>, known: Tariffs): Promise<KeptPrices> => pricesOfModels(file, models, known),
  };
}

async function priceFinder(file: PriceFile | null): Promise<(model: string) => Period[]> {
  const ofFile = file === null ? () => undefined : pricesInFile(file);
  const { calcPrice } = await import('@pydantic/genai-prices');
  return (model) => ofFile(model) ?? periodsInPackage(model, calcPrice);
}

function costAtPrices(periodsOf: (model: string) => Period[]): Prices['costOf'] {
  return ({ model, timestamp, usage }) => {
    if (isNothing(usage)) return 0;
    const tariff = model === null ? undefined : tariffAt(periodsOf(model), timestamp);
    return tariff === undefined ? null : costAt(tariff, usage);
  };
}

function isNothing(usage: TokenCounts): boolean {
  return (
    usage.input_tokens === 0 &&
    usage.output_tokens === 0 &&
    usage.cache_read_tokens === 0 &&
    usage.cache_write_5m_tokens === 0 &&
    usage.cache_write_1h_tokens === 0 &&
    usage.web_searches === 0
  );
}

function periodsInPackage(model: string, calculate: Calculator): Period[] {
  for (const offer of offersOf(model)) {
    const periods = listedPeriods(offer, calculate);
    if (periods.length > 0) return periods;
  }
  return [];
}
