import { type Generated, sql } from 'kysely';
import type { Customer } from '../contract/on-file.ts';
import type { Order, TransactionKind } from '../contract/transaction.ts';
import type { MigrationSet, Schema } from '../database/migrate.ts';

const ADDRESS = ['country', 'zip', 'state', 'city', 'street'] as const;

const accounts = async ({ createTable, identity, text, integer }: Schema): Promise<void> => {
  await createTable('accounts')
    .addColumn('id', identity)
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('address', text)
    .addColumn('nexus', text, (column) => column.notNull())
    .addColumn('api_version', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('buyer_use', text)
    .execute();
  await createTable('keys')
    .addColumn('id', identity)
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('hint', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('revoked_at', integer)
    .execute();
};

const customers = async ({ createTable, text, integer }: Schema): Promise<void> => {
  const address = ADDRESS.filter((part) => part !== 'country');
  const table = createTable('customers')
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('customer_id', text, (column) => column.notNull())
    .addColumn('exemption_type', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('exempt_regions', text, (column) => column.notNull())
    .addColumn('country', text);
  await address
    .reduce((partial, part) => partial.addColumn(part, text), table)
    .addPrimaryKeyConstraint('customers_key', ['account_id', 'customer_id'])
    .execute();
};

const transactions = async ({ createTable, createIndex, text, integer }: Schema): Promise<void> => {
  const table = createTable('transactions')
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('transaction_id', text, (column) => column.notNull())
    .addColumn('transaction_date', integer, (column) => column.notNull())
    .addColumn('transaction_reference_id', text)
    .addColumn('exemption_type', text)
    .addColumn('customer_id', text)
    .addColumn('amount', integer, (column) => column.notNull())
    .addColumn('shipping', integer, (column) => column.notNull())
    .addColumn('sales_tax', integer, (column) => column.notNull())
    .addColumn('line_items', text, (column) => column.notNull())
    .addColumn('revision', integer, (column) => column.notNull());
  await ADDRESS.reduce(
    (partial, part) => partial.addColumn(`from_${part}`, text).addColumn(`to_${part}`, text),
    table,
  )
    .addPrimaryKeyConstraint('transactions_key', ['account_id', 'kind', 'provider', 'transaction_id'])
    .execute();
  // A listing reads one range of this index and never the table.
  await createIndex('transactions_by_date')
    .on('transactions')
    .columns(['account_id', 'kind', 'provider', 'transaction_date', 'transaction_id'])
    .execute();
};

/**
 * Create a mark for each account and day of transactions, by the days in UTC since 1970: a text that changes with every
 * change of one of them, and the number of all changes. Any writer sets both in its own transaction, so that writers of
 * one day wait for each other.
 */
const dayMarks = async ({ engine, createTable, text, integer, tables }: Schema): Promise<void> => {
  await createTable('transaction_day')
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('day', integer, (column) => column.notNull())
    .addColumn('mark', text, (column) => column.notNull())
    .addColumn('writes', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('transaction_day_key', ['account_id', 'day'])
    .execute();
  const changes = [
    ['insert', ['new']],
    ['update', ['old', 'new']],
    ['delete', ['old']],
  ] as const;
  if (engine === 'sqlite') {
    for (const [change, rows] of changes)
      await sql`create trigger ${sql.ref(`transactions_${change}`)} after ${sql.raw(change)} on transactions
        begin ${sql.join(rows.map(markedRow), sql`; `)}; end`.execute(tables);
    return;
  }
  await sql`create function mark_transaction_days() returns trigger language plpgsql as $$
    begin
      insert into transaction_day as known (account_id, day, mark, writes)
        select account_id, transaction_date / 86400000, gen_random_uuid()::text, count(*)
        from changed group by 1, 2 order by 1, 2
      on conflict (account_id, day)
        do update set mark = excluded.mark, writes = known.writes + excluded.writes;
      return null;
    end $$`.execute(tables);
  for (const [change, rows] of changes) {
    for (const row of rows)
      await sql`create trigger ${sql.ref(`transactions_${change}_${row}`)} after ${sql.raw(change)} on transactions
        referencing ${sql.raw(row)} table as changed for each statement execute function mark_transaction_days()`.execute(
        tables,
      );
  }
};

/** Marks the day of a row of a trigger. */
const markedRow = (row: string) => sql`insert into transaction_day (account_id, day, mark, writes)
  values (${sql.ref(`${row}.account_id`)}, ${sql.ref(`${row}.transaction_date`)} / 86400000, hex(randomblob(16)), 1)
  on conflict (account_id, day) do update set mark = excluded.mark, writes = writes + 1`;

export const LEDGER_MIGRATIONS: MigrationSet = {
  name: 'ledger',
  steps: [
    {
      name: '0001-ledger',
      up: async (schema) => {
        for (const create of [accounts, customers, transactions, dayMarks]) await create(schema);
      },
    },
  ],
};

/**
 * The rows of the ledger as they are stored. Amounts are ten-thousandths of a dollar (Price), points in time are
 * milliseconds (Instant), lists and addresses of accounts are JSON.
 */
export type LedgerTables = {
  accounts: AccountRow;
  keys: KeyRow;
  customers: CustomerRow;
  transactions: TransactionRow;
  transaction_day: TransactionDayRow;
};

export type AccountRow = {
  id: Generated<number>;
  name: string;
  address: string | null;
  nexus: string;
  buyer_use: 'business' | 'personal' | null;
  api_version: string;
  created_at: number;
};

export type KeyRow = {
  id: Generated<number>;
  account_id: number;
  hash: string;
  hint: string;
  created_at: number;
  revoked_at: number | null;
};

/** The fields of a customer as the interface names them, with its regions as text. */
export type CustomerRow = Omit<Customer, 'exempt_regions'> & { account_id: number; exempt_regions: string };

/** The fields of a transaction as the interface names them, with its lines as text. */
export type TransactionRow = Omit<Order, 'user_id' | 'line_items' | 'customer_id'> & {
  account_id: number;
  kind: TransactionKind;
  customer_id: string | null;
  line_items: string;
  /** Counts the changes, so that a change based on an outdated reading is detected. */
  revision: number;
};

/** A mark that changes with every change of a transaction on the day, in UTC since 1970, and how many there were. */
export type TransactionDayRow = { account_id: number; day: number; mark: string; writes: number };
