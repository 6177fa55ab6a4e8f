// Makes samples/, the sessions that come with the package: recordings from fixtures/, in words that a person would have used.
// Only words change, so every row stays as its client wrote it. Usage: node scripts/samples.ts

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Words = [from: string | RegExp, to: string][];

const SHOP: Words = [
  [/\/home\/dev\/src\/claude\/demo/g, '/home/dev/src/shop'],
  [/-home-dev-src-claude-demo/g, '-home-dev-src-shop'],
  [/\/home\/dev\/src\/codex\/sessions\/[a-z-]+\/demo/g, '/home/dev/src/shop'],
  [/\/home\/dev\/src\/gemini\/run\/[a-z-]+\/proj/g, '/home/dev/src/shop'],
];

const SAMPLES: { from: string; words: Words }[] = [
  {
    from: 'claude-code/i_reject',
    words: [
      ['SCN:askbash A', 'The import hangs. Can you see why?'],
      ['SCN:askbash B', 'Look at the lock file first'],
      ['SCN:askbash C', 'Then take the lock away, and tell me before you do'],
      ['SCN:askedit D', 'Rename the middle price tier'],
      ['SCN:askedit E', 'Rename it, in the list only'],
      ['SCN:askedit F', 'The page still shows it wrong. Again, please'],
      ['SCN:askpar G', 'Mark both imports as done'],
      [/touch (\S+)\/forbidden\.txt/g, 'rm -f $1/tmp/import.lock'],
      [/touch (\S+)\/p(\d)/g, 'touch $1/tmp/import-$2.done'],
      ['Touch a file', 'Remove the lock of the import'],
      ['Need permission.', 'The import waits for `tmp/import.lock`, which nobody seems to hold. I will remove it.'],
      ['Use a different file name please', 'Not that one, the nightly job still holds it'],
      [
        'OK then (after the tool result).',
        'Understood: the lock stays. **What I found instead:**\n\n1. the nightly job starts at 02:00 and runs until about 02:40,\n2. the import starts at 02:30 and waits.\n\nMoving the import to `03:00` solves it without touching the lock.',
      ],
      ['Editing.', 'Renaming the tier in `tiers.txt`.'],
      ['OK then (after the edit result).', 'Done, and I will keep it in lower case.'],
      [/a\.txt/g, 'tiers.txt'],
      [/Keep beta/g, 'Keep silver'],
      [/\balpha\b/g, 'bronze'],
      [/\bbeta\b/g, 'silver'],
      [/\bgamma\b/g, 'gold'],
      [/\bBETA\b/g, 'SILVER'],
    ],
  },
  {
    from: 'claude-code/i_compact',
    words: [
      ['SCN:plain one', 'Why is the checkout off by a cent?'],
      ['SCN:bash two', 'Show me that it happens'],
      ['SCN:thinktool three', 'And with two items?'],
      ['SCN:plain four', 'Which tests cover this?'],
      ['SCN:bash five', 'Run them'],
      ['SCN:plain after resume', 'Summarise what is left to do'],
      [
        'Hello from the mock model.',
        'Prices are rounded per item, then added; the total is rounded once. **Round once, at the end:**\n\n```ts\nconst total = round(items.reduce((sum, item) => sum + item.price * item.count, 0));\n```',
      ],
      ['Running a command.', 'I will run the example from the report.'],
      ['echo hello-from-bash', 'node scripts/total.js 0.335 0.335'],
      ['Echo hello', 'Total of two items'],
      ['The command printed hello-from-bash.', 'There it is: `0.68` where the sum is `0.67`.'],
      ['hello-from-bash', '0.68'],
      ['Let me look.', 'The same with the second example.'],
      ['echo tt', 'node scripts/total.js 1.005 1.005'],
      ['Result: tt.', 'Also off: `2.02` for a sum of `2.01`.'],
      [/^tt$/g, '2.02'],
      [/MOCK-SUMMARY of the talk\./g, 'the checkout total is off by a cent, because prices are rounded per item.'],
      [/Pending Tasks: none\./g, 'Pending tasks: round once, at the end; add a test with two items.'],
    ],
  },
  {
    from: 'claude-code/p_agents',
    words: [
      ['SCN:agents2 go', 'Check that both the API docs and the changelog name the new option'],
      ['Delegating twice.', 'Two searches, side by side.'],
      ['Sub job 1', 'Search the API docs'],
      ['Sub job 2', 'Search the changelog'],
      ['SCN:subwork number 1', 'Does docs/api.md name `--round-once`? Answer with the line.'],
      ['SCN:subwork number 2', 'Does CHANGELOG.md name `--round-once`? Answer with the line.'],
      ['Sub works.', 'Searching.'],
      ['echo from-sub', 'grep -n round-once docs/api.md CHANGELOG.md'],
      ['sub echo', 'Search for the option'],
      [/SUB RESULT: from-sub/g, 'Yes, line 12.'],
      [/^from-sub$/g, '12: --round-once'],
      ['Both agents finished.', 'Both name it, each in line 12.'],
      ['SCN:plain again', 'Good. Anything else that is missing?'],
      ['Hello from the mock model.', 'No: the help text has it too.'],
    ],
  },
  {
    from: 'codex/tui-compact-manual',
    words: [
      ['plan:hello first question', 'Where are orders written to disk?'],
      ['plan:shell second question', 'Do the tests of the order store pass?'],
      ['plan:hello third question', 'Then fix the test that expects the old path'],
      ['Hello from the mock.', 'In `src/orders/store.ts`, one JSON line per order.'],
      ['I will list files.', 'I will run them.'],
      [/echo one; echo two >&2; exit 3/g, 'npm test -- orders'],
      ['Command ran.', 'One of two fails: it still expects `data/orders.json`.'],
      [/\bone\r?\ntwo\b/g, 'ok 1 writes an order\nnot ok 2 reads the old path'],
      [
        /MOCK SUMMARY: the user asked things and the mock answered them\./g,
        'Orders are written by src/orders/store.ts. One test fails: it expects the old path.',
      ],
    ],
  },
  {
    from: 'codex/tui-backtrack',
    words: [
      [/plan:hello second to be edited EDITED/g, 'Write the release notes for users, not for us'],
      [/plan:hello second to be edited/g, 'Write the release notes'],
      ['plan:hello first', 'What changed since the last release?'],
      ['Hello from the mock.', 'Rounding at checkout, and where orders are stored.'],
    ],
  },
  {
    from: 'gemini/reject',
    words: [
      [/^R1 \{.*$/gs, 'Greet the customers in the mail, not the world'],
      [/^R2 \{.*$/gs, 'Leave the template, then. Is it used anywhere else?'],
      [/^R3 \{.*$/gs, 'Clean up the old mails'],
      [/^R4 \{.*$/gs, 'What would that have deleted?'],
      [/^R5 \{.*$/gs, 'Write down what we decided'],
      [/^R6 \{.*$/gs, 'Read the template and change the greeting'],
      [/^R7 \{.*$/gs, 'Thanks, that is all'],
      ['Editing.', 'Changing the greeting in the template.'],
      ['After the edit reject.', 'No, only in this mail.'],
      ['Shelling.', 'Removing the mails of last year.'],
      ['Batch went on.', 'The template is read, and nothing was changed.'],
      [/rm -rf nothing/g, 'rm -rf mails/2025'],
      [/rm -rf other/g, 'rm -rf mails/drafts'],
      ['After the shell reject.', 'Every mail of 2025, also the ones that were never sent.'],
      [/w\.txt/g, 'decisions.txt'],
      [/hello\.txt/g, 'greeting.txt'],
      [/\bworld\b/g, 'world!'],
      [/\bmars\b/g, 'customer!'],
    ],
  },
];

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(join(root, 'samples'), { recursive: true, force: true });
for (const { from, words } of SAMPLES) {
  const native = join(root, 'fixtures', from, 'native');
  for (const entry of readdirSync(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const to = join(root, 'samples', replaced(path.slice(native.length + 1), SHOP));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, changed(readFileSync(path, 'utf8'), [...SHOP, ...words]), { flag: 'a' });
  }
}

/** A JSON document, or one a line, or plain text. */
function changed(text: string, words: Words): string {
  try {
    return JSON.stringify(deep(JSON.parse(text), words));
  } catch {
    return text
      .split('\n')
      .map((line) => lineChanged(line, words))
      .join('\n');
  }
}

function lineChanged(line: string, words: Words): string {
  try {
    return JSON.stringify(deep(JSON.parse(line), words));
  } catch {
    return replaced(line, words);
  }
}

function deep(value: unknown, words: Words): unknown {
  if (typeof value === 'string') return inString(value, words);
  if (Array.isArray(value)) return value.map((item) => deep(item, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [replaced(key, SHOP), deep(item, words)]));
}

/** Codex writes JSON into strings. */
function inString(text: string, words: Words): string {
  if (!/^[{[]".*[}\]]$/s.test(text)) return replaced(text, words);
  try {
    return JSON.stringify(deep(JSON.parse(text), words));
  } catch {
    return replaced(text, words);
  }
}

function replaced(text: string, words: Words): string {
  return words.reduce(
    (now, [from, to]) => (typeof from === 'string' ? now.replaceAll(from, to) : now.replace(from, to)),
    text,
  );
}
