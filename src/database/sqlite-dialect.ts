import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type SqliteOptions, sqliteDriver } from './sqlite-driver.ts';

/** SQLite through Node's own module: no native package to install, and it is as fast as the best of those. */
export const sqliteDialect = (options: SqliteOptions): Dialect => ({
  createAdapter: () => new OurAdapter(),
  createDriver: () => sqliteDriver(options),
  createIntrospector: (tables) => new SqliteIntrospector(tables),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

class OurAdapter extends SqliteAdapter {
  /**
   * SQLite can roll back changes of the schema, and kysely's adapter does not say so. With it, a set of migrations is
   * one transaction: it holds the write lock while it looks what is missing, so that two processes cannot both migrate.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is one, and the driver lets its users wait in line; kysely would wake all of them for every turn. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
