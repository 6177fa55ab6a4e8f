import { defineConfig } from 'vitest/config';

/** The viewer in a real browser: apart from the other tests, since not every machine has one. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    globalSetup: ['test/temporary.ts', 'test/build.ts'],
    setupFiles: ['test/no-real-home.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two browsers at once would disturb one another on two cores.
    fileParallelism: false,
  },
});
