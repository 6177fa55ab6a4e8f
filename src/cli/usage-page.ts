// What `pal usage` shows to a person: a table with bars, totals, and what is not in the cost.

import type {
  CallEnds,
  CallRates,
  UnpricedModel,
  UsageFigures,
  UsageGroup,
  UsageGrouping,
  UsageReport,
} from '../reports.ts';
import { amount, bar, counted, dollars, painter, plain, tokens, widthOf, wrapText } from '../shown.ts';
import type { Screen } from './screen.ts';
import { shortId } from './short-id.ts';
import { type Column, tableLines } from './table.ts';

/** `areOwn`: prices come from the user's file first. */
export function* usagePage(report: UsageReport, screen: Screen, areOwn = false): Generator<string> {
  const view = { ...screen, isTerminal: true };
  const { by, groups, totals } = report;
  const rows: ShownRow[] = [
    ...groups.map((group) => ({ text: nameOf(group, by), figures: group, isTotal: false })),
    { text: 'total', figures: totals, isTotal: true },
  ];
  const columns = columnsFor(by, view);
  const [heading = '', ...lines] = tableLines(rows, columns, view);
  const bars = barsFor(rows, columns, view);
  yield `${heading}\n`;
  yield* lines.map((line, i) => (bars[i] ? `${line}  ${view.paint('good', bars[i])}\n` : `${line}\n`));
  const notes = notesOn(report, areOwn);
  if (notes.length > 0) yield '\n';
  for (const note of notes) yield* wrapText(note, view.width).map((line) => `${view.paint('dim', line)}\n`);
}

interface ShownRow {
  text: string;
  figures: UsageFigures;
  isTotal: boolean;
}

const NAMELESS: Record<UsageGrouping, string> = {
  day: '(no time)',
  week: '(no time)',
  month: '(no time)',
  model: '(no model)',
  project: '(no project)',
  agent: '(no agent)',
  session: '(no id)',
};

function nameOf({ name, title }: UsageGroup, by: UsageGrouping): string {
  if (name === null) return NAMELESS[by];
  if (by !== 'session') return plain(name, 200);
  return `${shortId(name)}  ${plain(title ?? '(no title)', 100)}`;
}

/** What was read from the cache and written to it is told apart where there is room. */
function columnsFor(by: UsageGrouping, { room }: Screen): Column<ShownRow>[] {
  const number = (name: string, of: (figures: UsageFigures) => string, from = 0): Column<ShownRow> => ({
    name,
    text: ({ figures }) => of(figures),
    right: true,
    from,
    tone: ({ isTotal }) => (isTotal ? 'strong' : undefined),
  });
  const read = ({ cache_read_tokens }: UsageFigures) => cache_read_tokens;
  const written = (figures: UsageFigures) => figures.cache_write_5m_tokens + figures.cache_write_1h_tokens;
  const cache =
    room < 110
      ? [number('CACHE', (figures) => tokens(read(figures) + written(figures)), 80)]
      : [
          number('CACHE READ', (figures) => tokens(read(figures))),
          number('CACHE WRITE', (figures) => tokens(written(figures))),
        ];
  return [
    {
      name: by.toUpperCase(),
      text: ({ text }) => text,
      flexible: true,
      cutStart: by === 'project',
      most: 48,
      tone: 'strong',
    },
    number('REQUESTS', ({ requests }) => amount(requests), 64),
    number('INPUT', ({ input_tokens }) => tokens(input_tokens), 72),
    ...cache,
    number('OUTPUT', ({ output_tokens }) => tokens(output_tokens), 56),
    number('TOKENS', ({ total_tokens }) => tokens(total_tokens)),
    number('COST', costWord),
  ];
}

/** At least so much, where some of it has no known price. */
function costWord({ cost, unpriced_requests }: UsageFigures): string {
  if (cost === null) return '?';
  return unpriced_requests === 0 ? dollars(cost) : `≥${dollars(cost)}`;
}

/** Bars narrower than this say nothing, and wider ones no more. */
const BAR_COLUMNS = { least: 8, most: 30 };

/** The chart: beside each line what it cost, or its tokens where nothing has a known price. */
function barsFor(rows: ShownRow[], table: Column<ShownRow>[], view: Screen): string[] {
  const unpainted = { ...view, paint: painter({ colour: false }) };
  const taken = widthOf(tableLines(rows, table, unpainted)[0] ?? '') + 2;
  const columns = Math.min(BAR_COLUMNS.most, view.room - taken);
  if (columns < BAR_COLUMNS.least) return [];
  const isPriced = rows.some(({ figures }) => figures.cost !== null);
  const parts = rows.map(({ figures, isTotal }) =>
    isTotal ? 0 : isPriced ? (figures.cost ?? 0) : figures.total_tokens,
  );
  const largest = Math.max(...parts);
  return parts.map((part) => bar(part, largest, columns));
}

/** More models than this are told by their number. */
const UNPRICED_SHOWN = 5;

/** What the table does not say. */
function notesOn({ totals, unpriced_models, undated_requests, since, until }: UsageReport, areOwn: boolean): string[] {
  const more = unpriced_models.slice(UNPRICED_SHOWN);
  const left = counted(
    more.reduce((sum, { requests }) => sum + requests, 0),
    'request',
  );
  const isPartOfTime = since !== null || until !== null;
  return [
    ...unpriced_models.slice(0, UNPRICED_SHOWN).map(unpricedNote),
    ...(more.length === 0 ? [] : [`… and ${left} of ${counted(more.length, 'more model')} without a known price.`]),
    ...(undated_requests === 0 || !isPartOfTime
      ? []
      : [`${counted(undated_requests, 'request')} without a recorded time: not counted, since days were asked for.`]),
    ...(totals.estimated_requests === 0
      ? []
      : [`Of ${counted(totals.estimated_requests, 'request')} no usage is recorded: the tokens are estimates.`]),
    ...(totals.cost === null
      ? []
      : [
          `Costs are ${areOwn ? 'by your own prices, and by list prices where these name no model' : 'list prices'}, worked out request by request: not what a subscription is billed.`,
        ]),
  ];
}

function unpricedNote({ model, requests, tokens: count }: UnpricedModel): string {
  const whose = model === null ? 'without the name of a model' : `of ${plain(model, 80)}`;
  const have = requests === 1 ? 'has no known price and is' : 'have no known price and are';
  const help = model === null ? '.' : ': give one with --prices.';
  return `${counted(requests, 'request')} ${whose} (${tokens(count)} tokens) ${have} not in the cost${help}`;
}

/** How calls may end, and from which width on it is shown. */
const ENDS: [end: keyof CallEnds, from: number][] = [
  ['rejected', 0],
  ['interrupted', 60],
  ['denied', 60],
  ['failed', 40],
];
/** Narrower terminals have no room for the counts. */
const WITH_COUNTS = 84;

/** How calls ended: of a hundred, and the counts beside them. */
export function* ratesPage(rates: CallRates[], by: 'tool' | 'model', screen: Screen): Generator<string> {
  const view = { ...screen, isTerminal: true };
  const hasCounts = view.room >= WITH_COUNTS;
  const columns: Column<CallRates>[] = [
    {
      name: by.toUpperCase(),
      text: ({ name }) => (name === null ? NAMELESS.model : plain(name, 200) || '(no name)'),
      flexible: true,
      most: 48,
      tone: 'strong',
    },
    { name: 'CALLS', text: ({ calls }) => amount(calls), right: true },
    ...ENDS.flatMap(([end, from]): Column<CallRates>[] => [
      {
        name: end.toUpperCase(),
        text: (rate) => (rate[end] === 0 ? '' : amount(rate[end])),
        right: true,
        from: WITH_COUNTS,
      },
      {
        name: hasCounts ? '/100' : end.toUpperCase(),
        text: (rate) => (rate[end] === 0 ? '' : ((rate[end] / rate.calls) * 100).toFixed(1)),
        right: true,
        from,
        tone: 'dim',
      },
    ]),
  ];
  if (!hasCounts) yield `${view.paint('dim', 'Of 100 calls:')}\n\n`;
  for (const line of tableLines(rates, columns, view)) yield `${line}\n`;
}
