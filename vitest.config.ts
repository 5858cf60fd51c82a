import { defineConfig } from 'vitest/config';

/** Suites that hold on SQLite in the fast tier, and on PostgreSQL in the deep one: docs/testing.md. */
const DATABASES = 'test/**/*.databases.test.ts';
/** Properties are tried more often in the deep tier. */
const PROPERTIES = 'test/**/*.property.test.ts';
const DEEP = 'test/**/*.deep.test.ts';
/** What would take a run for every change too long: for releases. */
const LONG = 'test/**/*.long.test.ts';

const BUILT = ['test/support/temporary-folder.ts', 'test/support/build-program.ts'];
const BUILT_WITH_SERVER = [...BUILT, 'test/support/start-postgres.ts'];

export default defineConfig({
  test: {
    // Most of the time goes into computing, so every core is put to work.
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Node runs the sources itself, as it does in production: there is nothing to transform.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [DEEP, LONG],
          provide: { shareOfRuns: 0.1 },
          globalSetup: BUILT,
        },
      },
      {
        extends: true,
        test: {
          name: 'deep',
          include: [DEEP, DATABASES, PROPERTIES],
          provide: { shareOfRuns: 1 },
          globalSetup: BUILT_WITH_SERVER,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [LONG],
          provide: { shareOfRuns: 1 },
          globalSetup: BUILT_WITH_SERVER,
        },
      },
    ],
  },
});
