// Brings a store up to date as somebody who may not read one of the files, and again when they may. A process of its own: root
// may read everything, and becomes nobody for it. Prints what the store says each time.

import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { currentStore, type StoreRequest } from '../src/index.ts';
// Loaded while everything may be read.
import '../src/ingest/update.ts';
import { contentOf, freshContent, UPDATE } from './store-content.ts';

const [home = '', folder = '', path = ''] = process.argv.slice(2);
const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
const become = (user: number) => (isRoot ? process.seteuid?.(user) : undefined);

function makeOwn(made: string): string {
  mkdirSync(made);
  if (isRoot) chownSync(made, NOBODY, NOBODY);
  return made;
}

function open(): void {
  chmodSync(path, 0o600);
  if (isRoot) chownSync(path, NOBODY, NOBODY);
}

makeOwn(folder);
const places = { homes: [home] };

/** What of the store's content is told. */
interface Listed {
  native_id?: unknown;
  messages?: unknown;
  usage: unknown[];
}

async function told(tier: 0 | 1, other: Partial<StoreRequest> = {}) {
  become(NOBODY);
  const { store, isCurrent, diagnostics, close } = await currentStore({
    ...UPDATE,
    folder,
    places,
    tier,
    say: (text) => console.error(text),
    ...other,
  });
  become(0);
  const content = contentOf(store);
  close();
  const read = content.sessions.map(({ native_id, messages, usage }: Listed) => ({
    session: native_id,
    messages,
    requests: usage.length,
  }));
  return { answer: { isCurrent, diagnostics, read }, content };
}

chmodSync(path, 0);
const answers = [(await told(0)).answer, (await told(1)).answer, (await told(1)).answer];
// Opened when it had been tried, and before the answer.
const openNow = () => {
  become(0);
  open();
  become(NOBODY);
};
const late = (await told(1, { folder: makeOwn(`${folder}-late`), progress: openNow })).answer;
const after = await told(1);
const isAsFresh = JSON.stringify(after.content) === JSON.stringify(await freshContent(places, 1));
console.log(JSON.stringify({ answers: [...answers, late, after.answer], isAsFresh }));
