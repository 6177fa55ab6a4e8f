import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/temporary.ts', 'test/build.ts'],
    setupFiles: ['test/no-real-home.ts'],
    testTimeout: 60_000,
    // On two cores one worker would be taken, and half of the machine would wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
