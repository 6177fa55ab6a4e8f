// Where the browser is.

import { existsSync } from 'node:fs';

const CANDIDATES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath = CANDIDATES.find((path) => path !== undefined && path !== '' && existsSync(path));
