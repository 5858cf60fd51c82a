import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import type { Engine } from '../../src/database/connect.ts';
import { newDatabase, runOnServer } from './new-database.ts';
import './start-postgres.ts';

/** Where a suite gets its databases: each call makes a new, empty one, and they go when the suite has run. */
export type TestDatabases = {
  readonly engine: Engine;
  readonly newUrl: () => Promise<string>;
};

/**
 * Run a suite on SQLite and on PostgreSQL. A file named `x.databases.test.ts` is run by both tiers: the fast one has
 * its suites on SQLite, and the deep one, which starts a server, has them on PostgreSQL.
 */
export const onEveryDatabase = (suite: (databases: TestDatabases) => void): void => {
  const isOfBothTiers = expect.getState().testPath?.endsWith('.databases.test.ts');
  const hasServer = inject('postgres') !== undefined;
  if (!(isOfBothTiers && hasServer)) describe('on SQLite', () => suite(sqliteFiles()));
  if (!isOfBothTiers || hasServer) onPostgres(suite);
};

/** Run a suite on PostgreSQL where a server can be started, and say so where not; the fast tier starts none. */
export const onPostgres = (suite: (databases: TestDatabases) => void): void => {
  const server = inject('postgres');
  if (server === undefined)
    throw new Error('PostgreSQL is for the deep tier: name the file *.deep.test.ts or *.databases.test.ts');
  if ('url' in server) {
    describe('on PostgreSQL', () => suite(postgresDatabases(server.url)));
    return;
  }
  const missing = `on PostgreSQL: not run, because ${server.absent}`;
  if (process.env['TIEOUT_REQUIRE_POSTGRES'] !== '1') it.skip(missing);
  else {
    it(missing, () => {
      throw new Error(server.absent);
    });
  }
};

/** A folder of SQLite files that goes when the suite has run. */
export const sqliteFiles = (): TestDatabases & { readonly folder: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-sqlite-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return {
    engine: 'sqlite',
    folder,
    newUrl: async () => {
      count += 1;
      return `sqlite:${join(folder, `${count}.db`)}`;
    },
  };
};

const postgresDatabases = (serverUrl: string): TestDatabases => {
  const names: string[] = [];
  afterAll(() =>
    runOnServer(serverUrl, ...names.map((name) => `drop database if exists ${name} with (force)`)),
  );
  return {
    engine: 'postgres',
    newUrl: async () => {
      const { name, url } = await newDatabase(serverUrl);
      names.push(name);
      return url;
    },
  };
};
