// Every session's document, piece by piece as the export gives it: nothing is left out, nothing is
// held longer than a reader of the stream would hold it. V8 is told what `pal export` tells it.

import { inOrder, openHome, spareProcessor } from '../../dist/index.js';
import { tellUsed } from './used.ts';

const [home = ''] = process.argv.slice(2);
spareProcessor();
let pieces = 0;
for (const session of inOrder(openHome({ homes: [home] }).families)) {
  for (const message of session.messages()) pieces += message.content.length;
  for (const call of session.toolCalls()) pieces += call.name.length;
}
if (pieces === 0) throw new Error('no messages were read');
tellUsed();
