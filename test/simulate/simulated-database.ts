import { type DatabaseConnection, type Driver, Kysely } from 'kysely';
import { type Database, sqliteDialect } from '../../src/database/connect.ts';
import { sqliteDriver } from '../../src/database/sqlite-driver.ts';
import type { SimulatedProcess } from './simulated-process.ts';

const READS = /^\s*(?:select|pragma|with(?!.*\b(?:insert|update|delete)\b))\b/is;

/** Open a file of SQLite by the real driver; what changes it for good is an effect of the process. */
export const openFile = async (path: string, process: SimulatedProcess): Promise<Database> => {
  const real = sqliteDriver({ path, busyWaitMs: 0, syncsLater: false });
  await real.init();
  const tables = new Kysely<unknown>({ dialect: sqliteDialect(driverOf(real, process)) });
  return {
    engine: 'sqlite',
    place: path,
    tables: <Tables>() => tables as Kysely<Tables>,
    beforeClose: (work) => process.atEnd(async () => void (process.isAlive() && (await work()))),
    checkLock: () => {},
    sync: async () => {},
    close: async () => {},
  };
};

/** A process that is gone leaves its transaction to SQLite, which rolls it back. */
const driverOf = (real: Driver, process: SimulatedProcess): Driver => {
  let held: DatabaseConnection | undefined;
  let isOpen = false;
  process.atEnd(async () => {
    if (held && isOpen) await real.rollbackTransaction(held);
    if (held) await real.releaseConnection(held);
    await real.destroy();
  });
  const mine = (): DatabaseConnection => held as DatabaseConnection;
  const connectionTo = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: (query) => {
      const ask = () => connection.executeQuery<never>(query);
      if (READS.test(query.sql)) return process.read(ask);
      return process.effect(query.sql.split(/\s+/).slice(0, 3).join(' '), ask);
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  });
  return {
    init: async () => {},
    destroy: async () => {},
    acquireConnection: () =>
      process.read(async () => {
        const connection = await real.acquireConnection();
        if (process.isAlive()) held = connection;
        else await real.releaseConnection(connection);
        return connectionTo(connection);
      }),
    releaseConnection: () =>
      process.read(async () => {
        const connection = mine();
        held = undefined;
        await real.releaseConnection(connection);
      }),
    beginTransaction: (_, settings) =>
      process.read(async () => {
        await real.beginTransaction(mine(), settings);
        isOpen = true;
      }),
    commitTransaction: () =>
      process.effect('commit', async () => {
        await real.commitTransaction(mine());
        isOpen = false;
      }),
    rollbackTransaction: () =>
      process.read(async () => {
        isOpen = false;
        await real.rollbackTransaction(mine());
      }),
  };
};
