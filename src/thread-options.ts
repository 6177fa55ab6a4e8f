import type { WorkerOptions } from 'node:worker_threads';

/** Node 22 warns of SQLite as experimental, once in every thread. It has what we need of it, and nobody can do anything about it. */
export function threadOptions(): Pick<WorkerOptions, 'execArgv'> {
  return process.versions.node.startsWith('22.') ? { execArgv: ['--disable-warning=ExperimentalWarning'] } : {};
}
