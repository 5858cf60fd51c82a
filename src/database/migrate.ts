import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { TieoutError } from '../kernel/errors.ts';
import type { Database, Engine } from './connect.ts';

export type MigrationStep = {
  /** `0001-ledger`: steps run in the order of their names, and a name that has run is never changed. */
  readonly name: string;
  readonly up: (schema: Schema) => Promise<void>;
};

/**
 * How long a step waits for a lock on a server; other users of the same tables queue behind it meanwhile. The server
 * ends one side of a deadlock after a second; the step must give up before that.
 */
const LOCK_WAIT = '500ms';
const BETWEEN_TRIES_MS = 250;
const TRIES_MAX = 80;

/** The steps of one room. Several sets may share a database; each keeps its own record of the steps that have run. */
export type MigrationSet = { readonly name: string; readonly steps: readonly MigrationStep[] };

/**
 * Bring the tables of one room up to date: all missing steps in one transaction and under a lock, so that two processes
 * that start at the same time run them once. On a server others may use the tables meanwhile, so a lock that is not
 * free is retried.
 *
 * @throws {TieoutError} E_DATABASE_BUSY when a lock never became free
 * @throws {TieoutError} E_DATABASE_NEWER when a later version of the program has run a step
 */
export const migrate = async (database: Database, set: MigrationSet): Promise<void> => {
  const done = await stepsDone(database, set);
  if (set.steps.every(({ name }) => done.has(name))) return;
  const migrator = new Migrator({
    db: database.tables<unknown>(),
    provider: { getMigrations: async () => migrationsOf(database, set) },
    migrationTableName: `${set.name}_migration`,
    migrationLockTableName: `${set.name}_migration_lock`,
  });
  for (let tries = 1; ; tries += 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    const isBusy = error instanceof TieoutError && error.code === 'E_DATABASE_BUSY';
    if (database.engine === 'sqlite' || !isBusy || tries === TRIES_MAX) throw error;
    await pause(BETWEEN_TRIES_MS);
  }
};

const migrationsOf = ({ engine }: Database, { steps }: MigrationSet): Record<string, Migration> =>
  Object.fromEntries(
    steps.map(({ name, up }) => [name, { up: (tables: Kysely<unknown>) => upOn(engine, tables, up) }]),
  );

const upOn = async (engine: Engine, tables: Kysely<unknown>, up: MigrationStep['up']): Promise<void> => {
  if (engine === 'postgres') await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(tables);
  await up(schemaOf(engine, tables));
};

/** Read the names of the steps that have run. @throws {TieoutError} E_DATABASE_NEWER */
const stepsDone = async (database: Database, set: MigrationSet): Promise<ReadonlySet<string>> => {
  const tables = database.tables<Record<string, { name: string }>>();
  const record = `${set.name}_migration`;
  if (!(await hasTable(database, record))) return new Set();
  const done = await tables.selectFrom(record).select('name').execute();
  const unknown = done.find(({ name }) => !set.steps.some((step) => step.name === name));
  if (unknown === undefined) return new Set(done.map(({ name }) => name));
  throw new TieoutError({
    code: 'E_DATABASE_NEWER',
    message: `${database.place} was written by a newer Tieout: it holds the step ${unknown.name}, which this version does not know.`,
    nextStep: 'Run the newer version, or name another database.',
  });
};

/** Whether a table exists. The introspection of the query builder would read every table and column for this. */
const hasTable = async ({ engine, tables }: Database, name: string): Promise<boolean> => {
  const query =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
      : sql`select 1 where to_regclass(${name}) is not null`;
  return (await query.execute(tables<unknown>())).rows.length > 0;
};

/**
 * The tools of a migration, with which one text makes the same table on both engines. Text compares by its bytes and
 * integers have 64 bits everywhere; SQLite tables are strict, so a value of the wrong type is refused there too.
 */
export type Schema = {
  readonly engine: Engine;
  readonly tables: Kysely<unknown>;
  readonly text: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** An integer primary key that the database assigns. */
  readonly identity: RawBuilder<unknown>;
  /** What stands behind the columns of a table. */
  readonly strict: RawBuilder<unknown>;
};

const schemaOf = (engine: Engine, tables: Kysely<unknown>): Schema =>
  engine === 'sqlite'
    ? {
        engine,
        tables,
        text: sql`text`,
        integer: sql`integer`,
        identity: sql`integer primary key`,
        strict: sql`strict`,
      }
    : {
        engine,
        tables,
        text: sql`text collate "C"`,
        integer: sql`bigint`,
        identity: sql`bigint generated by default as identity primary key`,
        strict: sql``,
      };
