// What answers from the store: usage and search. Apart from the rest of the library, since loading that takes longer than
// the answers do.

export type { HomePlaces } from './ingest/agent-folder.ts';
export { type CurrentStore, currentStore, discard, type StoreRequest } from './ingest/current-store.ts';
export { openTexts } from './ingest/open-texts.ts';
export { spareProcessor } from './ingest/spare-processor.ts';
export type { PriceFile } from './prices/price-file.ts';
export {
  type KeptPrices,
  loadPrices,
  type Prices,
  pricesOfModels,
  pricesVersion,
  storePrices,
  type Tariffs,
} from './prices/prices.ts';
export { ratesBy } from './query/call-rates.ts';
export { type ScanOptions, type ScanResult, scanStore } from './query/scan.ts';
export { exactPattern, regexPattern, type ScanPattern } from './query/scan-pattern.ts';
export { SEARCH_LIMIT, type SearchOptions, type SearchResult, searchStore } from './query/search.ts';
export type { SearchHit, StoredPlace } from './query/search-hit.ts';
export {
  BadQuery,
  filtersFrom,
  filtersIn,
  parseQuery,
  type QueryOptions,
  type SearchFilters,
  type SearchQuery,
} from './query/search-query.ts';
export type { MessageText, Snippet } from './query/snippet.ts';
export { snippetMaker } from './query/snippet-maker.ts';
export { lowestTier, type StoreExtent, storeBytes, storeExtent } from './query/store-extent.ts';
export { timeFrom } from './query/time-from.ts';
export { roundedCost, type UsageReportOptions, usageReport } from './query/usage-report.ts';
export { callCounts, daySums, isOwnerOpen, usageSums } from './query/usage-sums.ts';
export type {
  CallCount,
  CallEnds,
  CallRates,
  DaySum,
  UnpricedModel,
  UsageFigures,
  UsageGroup,
  UsageReport,
  UsageSum,
} from './schema/usage-report.ts';
export { AGENTS, type AgentName, USAGE_GROUPINGS, type UsageGrouping } from './schema/words.ts';
export { agentPlaces } from './sources/places.ts';
export type { StorePrices } from './store/kept-sums.ts';
export { hasStore, isBroken, NewerStore } from './store/open.ts';
export type { Tier as StoreTier } from './store/rows.ts';
