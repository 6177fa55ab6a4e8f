// The user's own prices: for models that no list has, and for prices that differ from the list.

import { completeRates, LOWEST, type Period, type Rates, type StatedRates } from './tariff.ts';

/** A price file as it was read; the path is for messages. */
export interface PriceFile {
  path: string;
  text: string;
}

const EXAMPLE =
  'Prices are dollars per million tokens, such as {"models": {"my-model": {"input": 3, "output": 15, "cache_read": 0.3}}}.';

const KINDS = ['input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h', 'web_search'] as const;

/** Finds the prices of a model: by its name, else by the longest beginning that is given with a `*`. */
export function pricesInFile(file: PriceFile): (model: string) => Period[] | undefined {
  const prices = new Map(modelsIn(file));
  const patterns = [...prices]
    .filter(([name]) => name.endsWith('*'))
    .map(([name, periods]) => ({ beginning: name.slice(0, -1), periods }))
    .sort((a, b) => b.beginning.length - a.beginning.length);
  return (model) => prices.get(model) ?? patterns.find(({ beginning }) => model.startsWith(beginning))?.periods;
}

function modelsIn(file: PriceFile): [name: string, periods: Period[]][] {
  const check = checksFor(file);
  const { models } = check.object(check.json(), '', ['models']);
  return Object.entries(check.object(models, 'models')).map(([name, stated]) => [
    name,
    [periodOf(stated, `models[${JSON.stringify(name)}]`, check)],
  ]);
}

/** A step holds for larger requests; what it does not say stays as it was in the step below. */
function periodOf(value: unknown, where: string, check: Checks): Period {
  const { above = [], ...prices } = check.object(value, where, [...KINDS, 'above']);
  let stated: StatedRates = {
    ...ratesIn(prices, where, check),
    input: check.price(prices.input, `${where}.input`),
    output: check.price(prices.output, `${where}.output`),
  };
  const lowest = { above: LOWEST, rates: completeRates(stated) };
  const steps = check.list(above, `${where}.above`).map((step, i) => {
    const place = `${where}.above[${i}]`;
    const { input_tokens, ...changed } = check.object(step, place, [...KINDS, 'input_tokens']);
    return { above: check.count(input_tokens, `${place}.input_tokens`), changed: ratesIn(changed, place, check) };
  });
  const higher = steps
    .sort((a, b) => a.above - b.above)
    .map(({ above, changed }) => {
      stated = { ...stated, ...changed };
      return { above, rates: completeRates(stated) };
    });
  return { from: Number.NEGATIVE_INFINITY, tariff: [lowest, ...higher] };
}

function ratesIn(prices: Record<string, unknown>, where: string, check: Checks): Partial<Rates> {
  return Object.fromEntries(
    KINDS.filter((kind) => prices[kind] !== undefined).map((kind) => [
      kind,
      check.price(prices[kind], `${where}.${kind}`),
    ]),
  );
}

type Checks = ReturnType<typeof checksFor>;

/** Each gives the value or throws: what is wrong, where, and what to do. A key that nobody knows may be a price that nobody would see. */
function checksFor({ path, text }: PriceFile) {
  const wrong = (what: string): never => {
    throw new Error(`Cannot use the price file ${path}: ${what}.\nCorrect it, or do without it. ${EXAMPLE}`);
  };
  return {
    json(): unknown {
      try {
        // Some editors begin a file with a mark of its encoding.
        return JSON.parse(text.replace(/^\uFEFF/, ''));
      } catch (error) {
        return wrong(`it is no JSON (${(error as Error).message})`);
      }
    },
    object(value: unknown, where: string, keys?: readonly string[]): Record<string, unknown> {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return wrong(`${where || 'the whole'} is ${shown(value)}, and must be an object`);
      const strange = Object.keys(value).find((key) => keys?.includes(key) === false);
      if (strange !== undefined)
        wrong(`${where || 'the whole'} has ${JSON.stringify(strange)}, and may have only ${keys?.join(', ')}`);
      return value as Record<string, unknown>;
    },
    list(value: unknown, where: string): unknown[] {
      return Array.isArray(value) ? value : wrong(`${where} is ${shown(value)}, and must be a list`);
    },
    price(value: unknown, where: string): number {
      return typeof value === 'number' && Number.isFinite(value) && value >= 0
        ? value
        : wrong(`${where} is ${shown(value)}, and must be a number of dollars, 0 or more`);
    },
    count(value: unknown, where: string): number {
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
        ? value
        : wrong(`${where} is ${shown(value)}, and must be a number of tokens`);
    },
  };
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40);
}
