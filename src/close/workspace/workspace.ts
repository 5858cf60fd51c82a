import type { Insertable, Kysely } from 'kysely';
import { checkTables } from '../../database/check-tables.ts';
import type { Database } from '../../database/database.ts';
import { type FreshStatistics, freshStatistics } from '../../database/fresh-statistics.ts';
import { insertRows } from '../../database/insert-rows.ts';
import { migrate } from '../../database/migrate.ts';
import { WORKSPACE_COLUMNS, WORKSPACE_MIGRATIONS } from './migrations.ts';
import type { WorkspaceTables } from './tables.ts';

export type WorkspaceQueries = Kysely<WorkspaceTables>;

/** The stored state of one entity's close, in a database. */
export type Workspace = {
  readonly entity: string;
  readonly database: Database;
  readonly tables: WorkspaceQueries;
  /**
   * For results that a stage can compute again: writes return before the data is on the disk
   * (`Database.tablesOfDerived`).
   */
  readonly derived: WorkspaceQueries;
  /**
   * Insert rows of texts and numbers, or replace those with the same primary key. Several calls in one transaction are
   * one step. Rows with bytes must be inserted directly, because PostgreSQL takes these rows as JSON.
   */
  readonly upsert: <Table extends keyof WorkspaceTables & string>(
    into: Table,
    rows: readonly Insertable<WorkspaceTables[Table]>[],
  ) => Promise<void>;
  /**
   * Runs the work in a transaction: all its writes to the given workspace succeed or none. A nested call joins the
   * outer transaction.
   */
  readonly together: <Result>(work: (within: Workspace) => Promise<Result>) => Promise<Result>;
};

/**
 * Rows that a stage reads, processes and commits at once. With their sales, results and records they take about a
 * megabyte, most of which is freed before the next batch. A thousand rows are not faster, and take 80 MB more.
 */
export const BATCH_ROWS = 250;

/** The primary key of each table that is upserted into. */
const KEYS: {
  readonly [Table in keyof WorkspaceTables]: readonly (keyof WorkspaceTables[Table] & string)[];
} = {
  source_load: ['entity', 'channel'],
  reading_zone: ['entity', 'channel', 'time_zone', 'channel_zone'],
  source_file: ['entity', 'channel', 'path'],
  sale: ['entity', 'key'],
  sale_change: ['entity', 'day', 'number'],
  sale_page: ['entity', 'day', 'after'],
  set_aside: ['entity', 'channel', 'file', 'line', 'gone'],
  refund_date: ['entity', 'channel', 'order_id', 'instant', 'amount', 'copy'],
  tax_report: ['entity', 'channel', 'file', 'line'],
  certificate_file: ['entity', 'path'],
  ledger_file: ['entity', 'position'],
  calculation: ['digest'],
  page: ['entity', 'stage', 'slot'],
  refund_adjustment: ['entity', 'service', 'provider', 'id'],
  recorded: ['entity', 'service', 'provider', 'kind', 'id'],
  decided_record: ['entity', 'service', 'key'],
  channel_provider: ['entity', 'service', 'channel'],
  run: ['id'],
  period_state: ['entity', 'period', 'state'],
  asked_again: ['entity', 'digest'],
  approval: ['entity', 'period', 'content_digest', 'role'],
  closing: ['entity', 'period'],
  closing_exceptions: ['entity', 'period', 'page'],
  period_lock: ['entity', 'label'],
  filed_sale: ['entity', 'key'],
  filed_page: ['entity', 'label', 'page'],
  kept_file: ['entity', 'label', 'path', 'part'],
  carried_sale: ['entity', 'key'],
  late_decision: ['entity', 'number'],
  period_event: ['entity', 'number'],
};

/** Open the workspace of an entity and bring its tables up to date. */
export const openWorkspace = async (database: Database, entity: string): Promise<Workspace> => {
  await migrate(database, WORKSPACE_MIGRATIONS);
  await checkTables(database, WORKSPACE_COLUMNS);
  const tables = database.tables<WorkspaceTables>();
  const statistics = new Map<string, FreshStatistics>();
  const statisticsOf = (table: string): FreshStatistics => {
    const known = statistics.get(table) ?? freshStatistics(database, table);
    statistics.set(table, known);
    return known;
  };
  const derived = database.tables<WorkspaceTables>();
  const over = (queries: WorkspaceQueries): Workspace => ({
    entity,
    database,
    tables: queries,
    derived,
    upsert: async (into, rows) => {
      const [first] = rows;
      if (!first) return;
      await insertRows(queries, {
        engine: database.engine,
        into,
        rows,
        columns: Object.keys(first) as never,
        key: KEYS[into] as never,
        whenThere: 'replace',
      });
      statisticsOf(into).countWrites(rows.length);
    },
    together: (work) =>
      queries.isTransaction
        ? work(over(queries))
        : queries.transaction().execute((within) => work(over(within))),
  });
  return over(tables);
};
