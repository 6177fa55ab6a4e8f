// Any prompt, any reply: what a summary quotes was said so, and where something is left out it says so.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeSession } from '../bench/summary/made-session.ts';
import { summarise } from '../src/transform/summarise.ts';

/** Pieces that Markdown, a shell or a regular expression gives a meaning. */
const AWKWARD = [
  'handlers[name](req)',
  '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
  '[docs](docs/clone.md)',
  '`cache[key](value)`',
  '> 100 requests',
  '>= 3 retries',
  '- 5 degrees',
  '* a star',
  '12. twelve',
  '7) seven',
  '# a heading',
  '### Never deploy',
  '**Do not touch it**',
  '**Rule:**',
  'The rules are:',
  '```',
  '```ts',
  '~~~',
  '```npm test``` fails',
  '| name | limit |',
  '|---|---|',
  'a | b',
  '--- | ---',
  '---',
  '===',
  '***',
  '"quoted" and \'so\'',
  '<user-card>',
  '</user-card>',
  '<user-card>x</user-card>',
  'e.g. this one. That is it! Why? Because.',
  '3.14 and v1.2.3 of a/b/c.ts:12',
  '先にテスト。次に設定。',
  '!!!',
  '👍',
  '$(rm -rf "$HOME") && a || b; c',
  'You must never drop the table orders_2024 because accounting needs it.',
  'long '.repeat(160).trim(),
  'x'.repeat(900),
];

const text = fc
  .array(fc.tuple(fc.constantFrom(...AWKWARD), fc.constantFrom(' ', '\n', '\n', '\n\n', '\n  ')), {
    minLength: 1,
    maxLength: 40,
  })
  .map((parts) => parts.flat().join('').trim());

const asked = fc.record({
  prompt: text,
  reply: text,
  level: fc.constantFrom('full' as const, 'brief' as const),
  limit: fc.constantFrom(1500, 3000, 60_000),
});

/** Where white space is no difference. */
function dense(words: string): string {
  return words.replace(/\s+/g, '');
}

/** The parts between the marks of a cut that the text does not have in this order. */
function notSaid(quote: string, said: string): string[] {
  const whole = dense(said);
  let from = 0;
  return quote.split('…').filter((part) => {
    const at = whole.indexOf(dense(part), from);
    from = at === -1 ? from : at + dense(part).length;
    return at === -1;
  });
}

function linesAfter(summary: string, mark: RegExp): string[] {
  return summary.split('\n').flatMap((line) => (mark.test(line) ? line.replace(mark, '') : []));
}

test('what is quoted of prompts and replies is word for word what was said, and what is not there is marked and counted', () => {
  fc.assert(
    fc.property(asked, ({ prompt, reply, level, limit }) => {
      const maker = makeSession('s1');
      maker.prompt(prompt);
      maker.say(reply);
      const summary = summarise({ session: maker.view(), messages: [0, 1], level, limit });
      const [quoted = '', ...more] = linesAfter(summary, /^1\. /);
      const isWhole = dense(quoted) === dense(prompt);
      const counts = /_To keep this summary short.*(?:of prompts|in prompts|shortened)/.test(summary);
      const replied = linesAfter(summary, /^(?:- \(1\)| {3}→|-) /);
      expect({
        more,
        falsified: notSaid(quoted, prompt),
        unmarked: !isWhole && !quoted.includes('…'),
        uncounted: !isWhole && !counts,
        repliesFalsified: replied.flatMap((line) => notSaid(line, reply)),
      }).toEqual({ more: [], falsified: [], unmarked: false, uncounted: false, repliesFalsified: [] });
    }),
    { numRuns: 1500, seed: 7 },
  );
});
