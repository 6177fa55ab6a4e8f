// Reads sessions in a thread of its own: the server answers others while a large one is opened.

// As a whole: values of its own, unlike functions, would load it in every command, since all share what is built for it.
import threads from 'node:worker_threads';
import type { FromLibrary, Question } from './ask.ts';
import { Library, NotThere } from './library.ts';
import type { LibraryOptions } from './upkeep.ts';

const { parentPort: port, workerData } = threads;
if (port === null) throw new Error('It runs in a worker.');
const say = (message: FromLibrary) => port.postMessage(message);
const trouble = (message: string) => say({ name: 'trouble', message });
const library = new Library(workerData as LibraryOptions, (change) => say({ name: 'change', change }), trouble);

port.on('message', (question: Question) => {
  void answer(question);
});
say({ name: 'ready' });
library.prepare().catch((error: unknown) => trouble(String(error)));

/** What was read of a session may stand elsewhere in its file by now: then it is read anew. */
async function askedTwice(ask: () => unknown, args: unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotThere || !library.forget(args as { key?: string })) throw error;
    return ask();
  }
}

async function answer({ number, name, args }: Question): Promise<void> {
  library.asked();
  try {
    if (name === 'close') library.close();
    else if (name === 'image')
      say({ name: 'answer', number, ...library.image(args as Parameters<Library['image']>[0]) });
    else {
      // Each of them takes what the server made of the address.
      const ask = library[name].bind(library) as (args: unknown) => unknown;
      const bytes = Buffer.from(JSON.stringify(await askedTwice(() => ask(args), args)));
      say({ name: 'answer', number, type: 'application/json; charset=utf-8', bytes });
    }
  } catch (error) {
    const isTheirs = error instanceof NotThere;
    const message = isTheirs ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
    say({ name: 'failed', number, status: isTheirs ? 404 : 500, message });
  }
}
