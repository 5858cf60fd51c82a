import { type Generated, type RawBuilder, sql } from 'kysely';
import type { Customer } from '../contract/on-file.ts';
import type { Order, TransactionKind } from '../contract/transaction.ts';
import type { MigrationSet, Schema } from '../database/migrate.ts';

/** A listing reads one range of the index by date and never the table. */
const tablesOf = ({ text, integer, identity, strict }: Schema): readonly RawBuilder<unknown>[] => [
  sql`create table accounts (
    id ${identity}, name ${text} not null unique, address ${text}, nexus ${text} not null,
    api_version ${text} not null, created_at ${integer} not null, buyer_use ${text}
  ) ${strict}`,
  sql`create table keys (
    id ${identity}, account_id ${integer} not null references accounts (id), hash ${text} not null unique,
    hint ${text} not null, created_at ${integer} not null, revoked_at ${integer}
  ) ${strict}`,
  sql`create table customers (
    account_id ${integer} not null references accounts (id), customer_id ${text} not null,
    exemption_type ${text} not null, name ${text} not null, exempt_regions ${text} not null,
    country ${text}, zip ${text}, state ${text}, city ${text}, street ${text},
    constraint customers_key primary key (account_id, customer_id)
  ) ${strict}`,
  sql`create table transactions (
    account_id ${integer} not null references accounts (id), kind ${text} not null, provider ${text} not null,
    transaction_id ${text} not null, transaction_date ${integer} not null, transaction_reference_id ${text},
    exemption_type ${text}, customer_id ${text},
    amount ${integer} not null, shipping ${integer} not null, sales_tax ${integer} not null,
    line_items ${text} not null, revision ${integer} not null,
    from_country ${text}, to_country ${text}, from_zip ${text}, to_zip ${text}, from_state ${text},
    to_state ${text}, from_city ${text}, to_city ${text}, from_street ${text}, to_street ${text},
    constraint transactions_key primary key (account_id, kind, provider, transaction_id)
  ) ${strict}`,
  sql`create index transactions_by_date
    on transactions (account_id, kind, provider, transaction_date, transaction_id)`,
  sql`create table transaction_day (
    account_id ${integer} not null, day ${integer} not null, mark ${text} not null, writes ${integer} not null,
    constraint transaction_day_key primary key (account_id, day)
  ) ${strict}`,
];

/**
 * Keep a mark for each account and day of transactions, by the days in UTC since 1970: a text that changes with every
 * change of one of them, and the number of all changes. Any writer sets both in its own transaction, so that writers of
 * one day wait for each other.
 */
const dayMarks = async ({ engine, tables }: Schema): Promise<void> => {
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
        for (const statement of tablesOf(schema)) await statement.execute(schema.tables);
        await dayMarks(schema);
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
