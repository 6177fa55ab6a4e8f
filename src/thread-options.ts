import type { WorkerOptions } from 'node:worker_threads';

/** Before Node 24, SQLite is told to be experimental, once in every thread. It has what we need of it, and nobody can do anything about it. */
export function threadOptions(): Pick<WorkerOptions, 'execArgv'> {
  return Number.parseInt(process.versions.node, 10) < 24 ? { execArgv: ['--disable-warning=ExperimentalWarning'] } : {};
}
