import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/no-real-home.ts'],
    testTimeout: 60_000,
  },
});
