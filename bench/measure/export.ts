// The export command, its output thrown away.

import { openSync, writeSync } from 'node:fs';
import { inOrder, ndjsonPieces, openHome, recordLines, spareProcessor } from '../../dist/index.js';
import { tellUsed } from './used.ts';

const [home = '', format = 'ndjson'] = process.argv.slice(2);
const nowhere = openSync('/dev/null', 'w');
spareProcessor();
const render = format === 'records' ? recordLines : ndjsonPieces;
for (const session of inOrder(openHome({ homes: [home] }).families)) {
  for (const piece of render(session, { raw: false })) writeSync(nowhere, piece);
}
tellUsed();
