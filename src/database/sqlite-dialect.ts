import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type SqliteOptions, sqliteDriver } from './sqlite-driver.ts';

/** SQLite through Node's own module: no native package to install, and it is as fast as the best of those. */
export const sqliteDialect = (options: SqliteOptions): Dialect => ({
  createAdapter: () => new TransactionalDdlAdapter(),
  createDriver: () => sqliteDriver(options),
  createIntrospector: (tables) => new SqliteIntrospector(tables),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/**
 * SQLite can roll back changes of the schema, and kysely's adapter does not say so. With it, a set of migrations is
 * one transaction: it holds the write lock while it looks what is missing, so that two processes cannot both migrate.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
