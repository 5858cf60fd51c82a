import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most of the time goes into commands that run in processes of their own, so every core is put to work.
    maxWorkers: '100%',
    isolate: false,
    globalSetup: ['test/support/build-program.ts', 'test/support/start-postgres.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
