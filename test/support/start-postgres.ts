import type { TestProject } from 'vitest/node';
import { NoPostgresError, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The one server of this run, or why there is none. */
    postgres: { readonly url: string } | { readonly absent: string };
  }
}

/** One PostgreSQL server for the whole run; vitest calls this once, before the first test file. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  try {
    const server = await startPostgres();
    project.provide('postgres', { url: server.url });
    return server.stop;
  } catch (error) {
    const isRequired = process.env['TIEOUT_REQUIRE_POSTGRES'] === '1';
    if (isRequired || !(error instanceof NoPostgresError)) throw error;
    project.provide('postgres', { absent: error.message });
    return undefined;
  }
};
