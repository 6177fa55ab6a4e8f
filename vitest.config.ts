import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    setupFiles: ['test/no-real-home.ts'],
    testTimeout: 60_000,
  },
});
