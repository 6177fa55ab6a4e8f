// A copy of the first session of a home, written as `pal clone` writes it, checked, and thrown away.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CloneOptions, openHome, planClone, writeClone } from '../../dist/index.js';
import { tellUsed } from './used.ts';

const [home = '', options = '{}'] = process.argv.slice(2);
const project = mkdtempSync(join(tmpdir(), 'palimpsest-bench-clone-'));
const family = openHome({ homes: [home] }).families[0];
const open = family?.open();
const session = open?.sessions[0];
if (family === undefined || open === undefined || session === undefined) throw new Error('no session was found');
const plan = planClone(session, JSON.parse(options) as CloneOptions);
const written = writeClone(family, session, plan, { project, title: 'bench', now: '2026-01-01T00:00:00.000Z' });
open.close();
rmSync(written.path);
rmSync(project, { recursive: true });
tellUsed();
