import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/start-postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
