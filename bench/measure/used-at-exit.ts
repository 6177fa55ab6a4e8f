// Loaded before another program: tells what it used when it ends. Threads load it, too, and say nothing.

import { isMainThread } from 'node:worker_threads';
import { tellUsed } from './used.ts';

if (isMainThread) process.on('exit', tellUsed);
