import {
  addToInventory,
  counted,
  cut,
  dollars,
  emptyInventory,
  type Inventory,
  plain,
  tokens,
  wrapText,
} from '../../index.ts';
import type { FilterOptions } from '../choose.ts';
import { orEmpty } from '../or-empty.ts';
import { writeJson } from '../output.ts';
import { writePaged } from '../pager.ts';
import { chosenSessions } from '../reading.ts';
import { type Costs, Requests } from '../requests.ts';
import { type Screen, screen } from '../screen.ts';
import { priceFile, pricesOf } from '../stored.ts';
import { type Column, tableLines } from '../table.ts';

interface StatsFlags extends FilterOptions {
  prices?: string;
  pager: boolean;
  json?: boolean;
}

export async function stats(ids: string[], flags: StatsFlags): Promise<void> {
  const value = () => ({ ...emptyInventory(), costs: {} });
  await orEmpty({ ...flags, kind: 'stats', value }, () => count(ids, flags));
}

async function count(ids: string[], flags: StatsFlags): Promise<void> {
  const prices = await pricesOf(priceFile(flags.prices));
  const counts = emptyInventory();
  const requests = new Requests();
  for (const session of chosenSessions(ids, flags, 'reading')) {
    addToInventory(counts, session);
    requests.add(session.document.session.agent, session.usageRows());
  }
  const inventory = { ...counts, models: withTokens(counts.models, requests.tokens()) };
  const costs = requests.costs(prices);
  if (flags.json === true) writeJson('stats', { ...inventory, costs });
  else await writePaged(pages(inventory, costs, screen()), { wanted: flags.pager });
}

/** Sessions tell what each of them took; what is in two of them was taken once. */
function withTokens(models: Inventory['models'], tokens: ReturnType<Requests['tokens']>): Inventory['models'] {
  const counted = Object.entries(models).map(([name, model]) => [name, { ...model, ...tokens[name] }]);
  return Object.assign(Object.create(null), Object.fromEntries(counted));
}

function* pages(inventory: Inventory, costs: Costs, view: Screen): Generator<string> {
  const { tool_calls, lines } = inventory;
  yield* counts('sessions', inventory.sessions, view);
  yield* counts('turns', inventory.turns, view);
  yield* counts('messages', inventory.messages, view);
  yield* counts('events', inventory.events, view);
  yield* toolTable(inventory, view);
  yield `${sentence(`${counted(tool_calls.all, 'tool call')}, ${tool_calls.unpaired} of them without a result.`, view)}\n\n`;
  yield* modelTable(inventory, costs, view);
  yield* counts('stop reasons', inventory.stop_reasons, view);
  for (const [role, blocks] of Object.entries(inventory.blocks)) yield* counts(`blocks of the ${role}`, blocks, view);
  yield* counts('rows of the files', inventory.native_types, view);
  yield* unknownTable(inventory, view);
  const { lines: all = 0, ...accounts } = lines;
  const told = Object.entries(accounts)
    .filter(([, number]) => number > 0)
    .map(([account, number]) => `${number} ${account}`);
  yield `${sentence(`${counted(all, 'line')} in all${told.length === 0 ? '' : `: ${told.join(', ')}`}.`, view)}\n`;
}

function sentence(text: string, { width }: Screen): string {
  return wrapText(text, width).join('\n');
}

interface Counted {
  name: string;
  number: number;
}

/** Most first. */
function* counts(what: string, counted: Record<string, number>, view: Screen): Generator<string> {
  const rows: Counted[] = Object.entries(counted)
    .map(([name, number]) => ({ name, number }))
    .sort((a, b) => b.number - a.number || (a.name < b.name ? -1 : 1));
  if (rows.length === 0) return;
  yield `${view.paint('title', what)}\n`;
  const width = Math.max(...rows.map(({ number }) => String(number).length));
  for (const { name, number } of rows)
    yield `${String(number).padStart(width + 2)}  ${cut(plain(name, 100), view.room - width - 4)}\n`;
  yield '\n';
}

/** How calls end: there is always room for these. */
const FIRST_ENDS = new Set(['ok', 'error']);

type ToolRow = [name: string, ends: Record<string, number>];

function* toolTable({ tools }: Inventory, view: Screen): Generator<string> {
  const sum = (ends: Record<string, number>) => Object.values(ends).reduce((total, number) => total + number, 0);
  const rows = Object.entries(tools).sort(([a, ends], [b, others]) => sum(others) - sum(ends) || (a < b ? -1 : 1));
  if (rows.length === 0) return;
  const ends = [...new Set(rows.flatMap(([, row]) => Object.keys(row)))].sort();
  const columns: Column<ToolRow>[] = [
    { name: 'TOOL', text: ([name]) => plain(name, 80), flexible: true, tone: 'tool' },
    { name: 'CALLS', text: ([, row]) => String(sum(row)), right: true },
    ...ends.map(
      (end): Column<ToolRow> => ({
        name: end,
        short: end.length > 6 ? `${end.slice(0, 5)}.` : end,
        text: ([, row]) => String(row[end] ?? ''),
        right: true,
        tone: 'dim',
        ...(FIRST_ENDS.has(end) ? {} : { from: 72 }),
      }),
    ),
  ];
  yield* table('tools', rows, columns, view);
}

type ModelRow = [model: string, used: Inventory['models'][string]];

function* modelTable({ models }: Inventory, costs: Costs, view: Screen): Generator<string> {
  const rows = Object.entries(models).sort(([, a], [, b]) => b.output_tokens - a.output_tokens);
  if (rows.length === 0) return;
  const number = (name: string, of: (used: ModelRow[1]) => number, more = {}): Column<ModelRow> => ({
    name,
    text: ([, used]) => tokens(of(used)),
    right: true,
    ...more,
  });
  yield* table(
    'models',
    rows,
    [
      { name: 'MODEL', text: ([name]) => plain(name, 80), flexible: true, tone: 'strong' },
      number('REPLIES', (used) => used.replies),
      number('INPUT', (used) => used.input_tokens),
      number('CACHE READ', (used) => used.cache_read_tokens, { short: 'READ', from: 48 }),
      number('CACHE WRITE', (used) => used.cache_write_5m_tokens + used.cache_write_1h_tokens, {
        short: 'WRITE',
        from: 48,
      }),
      number('OUTPUT', (used) => used.output_tokens),
      { name: 'COST', text: ([name]) => costText(costs[name]), right: true, from: 60 },
    ],
    view,
  );
}

function costText(cost: number | null | undefined): string {
  return cost == null ? 'no price' : dollars(cost);
}

type UnknownRow = [type: string, seen: Inventory['unknown_types'][string]];

function* unknownTable({ unknown_types }: Inventory, view: Screen): Generator<string> {
  const rows = Object.entries(unknown_types);
  if (rows.length === 0) return;
  const columns: Column<UnknownRow>[] = [
    { name: 'ROWS', text: ([, seen]) => String(seen.rows), right: true },
    { name: 'TYPE', text: ([type]) => plain(type, 80) },
    {
      name: 'CLIENT VERSIONS',
      text: ([, seen]) => plain(seen.client_versions.join(', '), 200),
      flexible: true,
      tone: 'dim',
    },
  ];
  yield* table('rows of kinds that we do not know', rows, columns, view);
}

function* table<Row>(what: string, rows: Row[], columns: Column<Row>[], view: Screen): Generator<string> {
  yield `${view.paint('title', what)}\n`;
  for (const line of tableLines(rows, columns, { ...view, isTerminal: true, room: view.room - 2 })) yield `  ${line}\n`;
  yield '\n';
}
