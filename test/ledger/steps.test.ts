import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/database/connect.ts';
import { type MigrationStep, schemaOf } from '../../src/database/migrate.ts';
import { LEDGER_MIGRATIONS } from '../../src/ledger/migrations.ts';

const PARTS = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (tables: Kysely<unknown>) => new SqliteIntrospector(tables),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (tables: Kysely<unknown>) => new PostgresIntrospector(tables),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};

/** The statements of a step, which go nowhere. */
const statementsOf = async (engine: Engine, { up }: MigrationStep): Promise<readonly string[]> => {
  const statements: string[] = [];
  const tables = new Kysely<unknown>({
    dialect: { ...PARTS[engine], createDriver: () => new DummyDriver() },
    log: ({ query }) => {
      statements.push(query.sql.replace(/\s+/g, ' '));
    },
  });
  await up(schemaOf(engine, tables));
  return statements;
};

const NEW_TABLE = /^create table "(\w+)"/;
const OF_A_TABLE = [
  /^create (?:unique )?index "\w+" on "(\w+)"/,
  /^create trigger "\w+" after \w+ on "?(\w+)"?/,
  /^insert into "?(\w+)"?/,
];
/** What the triggers of a table call. */
const NEW_FUNCTION = /^create function \w+\(\) returns trigger /;
/** May be empty, or has a default. */
const NEW_COLUMN = /^alter table "\w+" add column "\w+" \w+(?: collate "C")?(?: default \S+ not null)?$/;

/** What another process that serves the same tables could stumble over. */
const notOnlyAdding = (statements: readonly string[], isServer: boolean): readonly string[] => {
  const made = new Set(statements.map((statement) => NEW_TABLE.exec(statement)?.[1]));
  return statements.filter((statement) => {
    if ([NEW_TABLE, NEW_COLUMN, NEW_FUNCTION].some((form) => form.test(statement))) return false;
    const table = OF_A_TABLE.map((form) => form.exec(statement)?.[1]).find((name) => name !== undefined);
    return table === undefined || (isServer && !made.has(table));
  });
};

describe.each(['sqlite', 'postgres'] as const)('a step of the ledger on %s', (engine) => {
  it.each(LEDGER_MIGRATIONS.steps)('only adds: $name', async (step) => {
    expect(notOnlyAdding(await statementsOf(engine, step), engine === 'postgres')).toEqual([]);
  });

  it.each<[string, MigrationStep['up']]>([
    ['drops a column', ({ tables }) => tables.schema.alterTable('accounts').dropColumn('name').execute()],
    [
      'wants a value in a new column',
      ({ tables, text }) =>
        tables.schema
          .alterTable('accounts')
          .addColumn('city', text, (column) => column.notNull())
          .execute(),
    ],
    ['renames', ({ tables }) => tables.schema.alterTable('accounts').renameTo('sellers').execute()],
    ['drops a table', ({ tables }) => tables.schema.dropTable('usage').execute()],
  ])('would be found out if it %s', async (_, up) => {
    const statements = await statementsOf(engine, { name: '9999-other', up });
    expect(notOnlyAdding(statements, true)).toEqual(statements);
  });
});

it('no step makes an index on a table that others write', async () => {
  const statements = await statementsOf('postgres', {
    name: '9999-index',
    up: ({ createIndex }) => createIndex('by_city').on('transactions').column('to_city').execute(),
  });
  expect(notOnlyAdding(statements, true)).toHaveLength(1);
});
