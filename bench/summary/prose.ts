// What stands around the planted facts: the chatter, code and output of a working day.

/** Numbers from a seed: the same sessions every time (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export type Random = () => number;

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T; // never empty
}

export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

const nouns = [
  'the session store',
  'the importer',
  'the price table',
  'the router',
  'the job queue',
  'the mailer',
  'the seat map',
  'the report page',
  'the login form',
  'the API client',
  'the cache layer',
  'the migration runner',
  'the upload handler',
  'the permission check',
  'the date helper',
  'the worker loop',
];
const names = [
  'loadOrders',
  'resolveTenant',
  'seatMap',
  'parseHeader',
  'flushQueue',
  'toCents',
  'withRetry',
  'openCursor',
  'mergeTiles',
  'renderRow',
  'readManifest',
  'applyDiscount',
];
const folders = [
  'src/api',
  'src/core',
  'src/jobs',
  'lib/models',
  'internal/http',
  'web/pages',
  'packages/shared/src',
  'app/services',
  'test/unit',
];
const stems = [
  'order',
  'tenant',
  'seat',
  'header',
  'queue',
  'price',
  'retry',
  'cursor',
  'tile',
  'row',
  'manifest',
  'discount',
  'session',
  'mail',
  'report',
];
const endings = ['.ts', '.ts', '.tsx', '.py', '.go', '.rs', '.rb'];

export function somePath(random: Random): string {
  return `${pick(random, folders)}/${pick(random, stems)}-${pick(random, stems)}${pick(random, endings)}`;
}

const prompts = [
  'Please look at {noun} and tell me why {name} is slow on large inputs.',
  'Next up is {noun}. Split {name} into smaller functions and add tests.',
  'can you rename {name} so that it says what it does',
  '{noun} shows stale data after a reload, have a look at {path}.',
  'Add a small page for {noun} with a table and a filter.',
  'The reviewer asked for fewer allocations in {name}. See {path}.',
  'ok looks good, go on with {noun}',
  'Write a test for {noun} that covers the empty case and the case with {count} rows.',
  'There is a lint warning in {path}, fix it and everything like it.',
  'Could {noun} log a line whenever {name} is called twice in a row?',
  'I merged main in the meantime, please check that {noun} still builds.',
  'Update the docs of {noun}, the part about {name} is out of date.',
];
const promptMore = [
  'I saw it yesterday when I had {count} tabs open.',
  'The ticket has a screenshot but it does not say much.',
  'Anna wrote most of {path} and is on holiday this week.',
  'It looks like {name} is called from {count} places.',
  'I tried it with {noun} as well and it behaved the same.',
  'You can find an example in {path}.',
  'The old version of {noun} did this differently, I think.',
  'Afterwards we can look at {noun} together.',
  'It is not urgent but it comes up in every review.',
  'The customer calls it the blue screen, they mean {noun}.',
];
const narration = [
  'Let me look at {path} first.',
  "Now I'll update {name} and its callers.",
  "I'll search for other uses of {name}.",
  'Good, {noun} is there. Let me read on.',
  'Let me run the tests for {noun}.',
  'Now the same for {path}.',
  "That's strange. Let me check {noun} again.",
  'The file is longer than I thought; reading the second half.',
  'I see {name} twice in {path}.',
  'Next I look at how {noun} calls {name}.',
  'This part of {noun} looks fine to me.',
  'Let me view the neighbouring test file as well.',
];
const remarks = [
  '{noun} keeps a list of {count} entries and walks it for every request.',
  '{name} is defined in {path} and exported from the index.',
  'There are {count} callers of {name}, most of them in {path}.',
  'The helper {name} returns early when the list is empty.',
  'I moved {name} into {path} and kept the old export.',
  'The types of {noun} are now narrower by one field.',
  'Both branches of {name} end in the same call.',
  'The loop in {path} runs {count} times for the sample data.',
  '{noun} reads its settings once at the start.',
  'I added {count} cases to the table of tests.',
  'All {count} tests of {noun} pass.',
  'The output of {noun} is the same as before for the sample files.',
  'The comment in {path} described the old behaviour, I rewrote it.',
  '{name} takes an options object now.',
  'The docs page mentions {noun} in {count} places.',
  'I left the order of the fields in {path} as it was.',
  'The change is small: {count} lines in {path}.',
  '{noun} and {name} share a constant which lives in {path}.',
];
const closings = [
  '{noun} is done and the tests pass.',
  'Done. {name} now lives in {path}.',
  'The page for {noun} works with the sample data.',
  '{name} is about {count} % faster on the sample input.',
  'Everything builds again after the merge.',
  'The docs of {noun} are up to date.',
];
/** Sentences that sound like facts but are not among the planted ones: they compete for the room. */
const rivals = [
  'I used a map here because lookups in {noun} are frequent.',
  'We should keep an eye on {name}.',
  'The warning came from {path}, where a promise was not awaited.',
  'I went with the smaller change in {path}.',
  '{name} must be called before {noun} is opened.',
  'Shall I go on with {noun}?',
  'Next I would look at {path}.',
  'The reason is that {name} was called with undefined.',
  'It could not find {path} because the folder had been renamed.',
  'I did not change {noun}.',
];

function filled(random: Random, template: string): string {
  return template.replace(/\{(noun|name|path|count)\}/g, (_, slot: string) => {
    if (slot === 'noun') return pick(random, nouns);
    if (slot === 'name') return `\`${pick(random, names)}\``;
    if (slot === 'path') return `\`${somePath(random)}\``;
    return String(between(random, 3, 90));
  });
}

const said = (list: string[]) => (random: Random) => capital(filled(random, pick(random, list)));
export const promptSentence = said(prompts);
export const promptExtra = said(promptMore);
export const narrationSentence = said(narration);
export const remark = said(remarks);
export const closing = said(closings);
export const rival = said(rivals);

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lines of source code, as a reading tool gives them back. */
export function codeLines(random: Random, lines: number): string {
  return Array.from({ length: lines }, (_, line) => {
    const name = pick(random, names);
    const kinds = [
      `  const ${pick(random, stems)} = await ${name}(${pick(random, stems)}, { limit: ${between(random, 1, 500)} });`,
      `  if (${pick(random, stems)}.length === 0) throw new Error('no ${pick(random, stems)} given');`,
      `export function ${name}(${pick(random, stems)}: string): void {`,
      `  // TODO: ${pick(random, stems)} must never be empty because ${name} relies on it.`,
      '}',
      '',
    ];
    return `${String(line + 1).padStart(6)}→${pick(random, kinds)}`;
  }).join('\n');
}

/** Output of a command that went well. */
export function commandOutput(random: Random, lines: number): string {
  return Array.from({ length: lines }, () => {
    const path = somePath(random);
    const kinds = [
      ` ✓ ${path} (${between(random, 1, 40)} tests) ${between(random, 2, 900)}ms`,
      `${path}:${between(random, 1, 900)}:  ${pick(random, names)}(${pick(random, stems)})`,
      `[info] compiled ${path} in ${between(random, 10, 900)} ms`,
      `-rw-r--r-- 1 dev dev ${between(random, 100, 90000)} ${path}`,
    ];
    return pick(random, kinds);
  }).join('\n');
}
