import { sql } from 'kysely';
import type { Columns } from '../../database/check-tables.ts';
import type { MigrationSet } from '../../database/migrate.ts';
import type { Schema } from '../../database/schema.ts';

type ColumnType = 'text' | 'integer' | 'bytes';

/** A table as its columns by type (`optional` ones may be null), its primary key and its other indexes. */
type Table = {
  readonly columns: Readonly<Partial<Record<ColumnType | 'optional text' | 'optional integer', string>>>;
  readonly key: string;
  /** Columns that PostgreSQL must not compress: they are compressed already, or short-lived. */
  readonly plain?: string;
  readonly indexes?: Readonly<Record<string, string>>;
};

/** The tables of the workspace. `tables.ts` documents their columns. */
const TABLES: Readonly<Record<string, Table>> = {
  source_load: { columns: { text: 'entity channel digest', integer: 'number' }, key: 'entity channel' },
  reading_zone: {
    columns: { text: 'entity channel time_zone channel_zone' },
    key: 'entity channel time_zone channel_zone',
  },
  source_file: {
    columns: {
      text: 'entity channel path sha256 profile header controls notices',
      integer: 'bytes rows used ignored rejected',
    },
    key: 'entity channel path',
  },
  sale: {
    columns: {
      text: 'entity key business_date posting digest reference outcome controls',
      integer: 'instant refunded load',
      'optional integer': 'file line',
    },
    key: 'entity key',
    indexes: { sale_by_day: 'entity business_date key' },
  },
  sale_change: {
    columns: { text: 'entity day first last body', integer: 'number' },
    key: 'entity day number',
    plain: 'body',
  },
  sale_page: {
    columns: { text: 'entity day after last checksum content', integer: 'rows', bytes: 'body' },
    key: 'entity day after',
    plain: 'body',
  },
  set_aside: {
    columns: {
      text: 'entity channel file record outcome code body key controls',
      integer: 'line gone',
      'optional text': 'business_date',
    },
    key: 'entity channel file line gone',
    indexes: { set_aside_by_key: 'entity channel key' },
  },
  refund_date: {
    columns: { text: 'entity channel order_id file', integer: 'instant amount copy line load' },
    key: 'entity channel order_id instant amount copy',
  },
  certificate_file: {
    columns: { text: 'entity path sha256 body', integer: 'position bytes rows used ignored rejected' },
    key: 'entity path',
  },
  page: {
    columns: { text: 'entity stage slot input digest', integer: 'rows open', bytes: 'body' },
    key: 'entity stage slot',
    plain: 'body',
  },
  calculation: { columns: { text: 'digest service request result' }, key: 'digest' },
  asked_again: { columns: { text: 'entity digest' }, key: 'entity digest' },
  refund_adjustment: {
    columns: { text: 'entity service provider id key body state' },
    key: 'entity service provider id',
    indexes: { refund_adjustment_by_key: 'entity service key' },
  },
  recorded: {
    columns: { text: 'entity service provider kind id business_date body', integer: 'instant' },
    key: 'entity service provider kind id',
  },
  run: {
    columns: {
      text: 'id entity pipeline period figures',
      integer: 'number started',
      'optional integer': 'finished exit_code',
    },
    key: 'id',
  },
  approval: {
    columns: { text: 'entity period content_digest role name signature', integer: 'at' },
    key: 'entity period content_digest role',
  },
  closing: {
    columns: {
      text: 'entity period first last folder files report parts seen',
      integer: 'clean',
    },
    key: 'entity period',
  },
  period_lock: {
    columns: { text: 'entity label period first last state digest body', integer: 'version' },
    key: 'entity label',
  },
  filed_sale: {
    columns: {
      text: 'entity key label filed_on source corrects posting digest',
      integer: 'page',
    },
    key: 'entity key',
    indexes: { filed_sale_by_label: 'entity label filed_on key' },
  },
  filed_page: {
    columns: { text: 'entity label', integer: 'page', bytes: 'body' },
    key: 'entity label page',
    plain: 'body',
  },
  kept_file: {
    columns: { text: 'entity label path content', integer: 'part' },
    key: 'entity label path part',
  },
  carried_sale: {
    columns: {
      text: 'entity key filed_on amendment source corrects replaces business_date posting body digest',
    },
    key: 'entity key',
    indexes: { carried_sale_by_day: 'entity filed_on key' },
  },
  late_decision: {
    columns: { text: 'entity period key choice destination content who why', integer: 'number decided' },
    key: 'entity number',
  },
  period_event: {
    columns: { text: 'entity period what who why digest', integer: 'number at' },
    key: 'entity number',
  },
  period_state: {
    columns: {
      text: 'entity period state',
      integer: 'orders refunds gross collected expected',
      'optional integer':
        'taxable exempt resale marketplace transactions marketplace_orders prepayments_left credits_left',
    },
    key: 'entity period state',
  },
  // The balances of the seller's accounts of sales tax payable, as read by a close.
  ledger_file: {
    columns: { text: 'entity path sha256 body', integer: 'position' },
    key: 'entity position',
  },
  // The rows of tax reports, by order of their channel.
  tax_report: {
    columns: { text: 'entity channel file order_id body', integer: 'line' },
    key: 'entity channel file line',
    indexes: { tax_report_by_order: 'entity channel order_id' },
  },
  // Sales that were sent because of a person's decision.
  decided_record: {
    columns: { text: 'entity service key provider kind id business_date state' },
    key: 'entity service key',
  },
  channel_provider: { columns: { text: 'entity service channel provider' }, key: 'entity service channel' },
  closing_exceptions: { columns: { text: 'entity period body', integer: 'page' }, key: 'entity period page' },
};

const createTables = async (schema: Schema): Promise<void> => {
  for (const [name, { columns, key, plain, indexes = {} }] of Object.entries(TABLES)) {
    let table = schema.createTable(name);
    for (const [type, names] of Object.entries(columns)) {
      const isOptional = type.startsWith('optional ');
      const sqlType = schema[type.replace('optional ', '') as ColumnType];
      for (const column of names.split(' '))
        table = table.addColumn(column, sqlType as never, (definition) =>
          isOptional ? definition : definition.notNull(),
        );
    }
    await table.addPrimaryKeyConstraint(`${name}_key`, key.split(' ') as never).execute();
    if (plain !== undefined && schema.engine === 'postgres')
      await sql`alter table ${sql.table(name)} alter ${sql.ref(plain)} set storage external`.execute(
        schema.tables,
      );
    for (const [index, of] of Object.entries(indexes))
      await schema.createIndex(index).on(name).columns(of.split(' ')).execute();
  }
};

/** The columns of all tables. */
export const WORKSPACE_COLUMNS: Columns = Object.fromEntries(
  Object.entries(TABLES).map(([name, { columns }]) => [name, Object.values(columns).join(' ')]),
);

export const WORKSPACE_MIGRATIONS: MigrationSet = {
  name: 'workspace',
  steps: [{ name: '0001-workspace', up: createTables }],
};
