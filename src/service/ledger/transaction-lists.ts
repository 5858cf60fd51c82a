import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { gathered } from '../../database/gathered.ts';
import { insertNewRows } from '../../database/insert-rows.ts';
import type { LedgerTables, TransactionRow } from './tables.ts';
import type { TransactionKey } from './transaction-store.ts';

/** Creates and readings of lists of transactions, of many callers at once. */
export type TransactionLists = {
  /** `false` for what was there already, and for all but the first of a key that a list has several times. */
  readonly create: (rows: readonly TransactionRow[]) => Promise<readonly boolean[]>;
  readonly find: (keys: readonly TransactionKey[]) => Promise<readonly (TransactionRow | undefined)[]>;
};

/** Lists that travel together at most: no one else writes, or on SQLite reads, meanwhile. */
const LISTS_MAX = 250;
/** One group of creates gathers while the one before commits, and a further one hides the way to the disk or server. */
const CREATES_IN_FLIGHT = 2;
/** SQLite has one connection. */
const READINGS_IN_FLIGHT = { sqlite: 1, postgres: 4 };

/** Lists that arrive together are one transaction, and so are readings of one space of ids one statement. */
export const transactionLists = (
  database: Database,
  onCommit: (records: number) => void,
): TransactionLists => ({
  create: gathered({ groupMax: LISTS_MAX, inFlightMax: CREATES_IN_FLIGHT }, async (lists) => {
    const created = await createAll(database, lists.flat());
    if (created.size > 0) onCommit(created.size);
    return lists.map((list) => list.map((row) => created.delete(textOf(row))));
  }),
  find: gathered({ groupMax: LISTS_MAX, inFlightMax: READINGS_IN_FLIGHT[database.engine] }, async (lists) => {
    const found = await findAll(database, lists.flat());
    return lists.map((list) => list.map((key) => found.get(spaceOf(key))?.get(key.transactionId)));
  }),
});

const KEY = ['account_id', 'kind', 'provider', 'transaction_id'] as const;
type RowKey = Pick<TransactionRow, (typeof KEY)[number]>;

/** An id has no blanks. */
const textOf = ({ account_id, kind, provider, transaction_id }: RowKey): string =>
  `${account_id} ${kind} ${provider} ${transaction_id}`;

const createAll = async (database: Database, rows: readonly TransactionRow[]): Promise<Set<string>> => {
  const created = await insertNewRows<LedgerTables, 'transactions', RowKey>(database.tables(), {
    engine: database.engine,
    into: 'transactions',
    rows,
    columns: Object.keys(rows[0] ?? {}) as (keyof TransactionRow)[],
    key: KEY,
  });
  return new Set(created.map(textOf));
};

const findAll = async (
  database: Database,
  keys: readonly TransactionKey[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, TransactionRow>>> => {
  const found = new Map<string, ReadonlyMap<string, TransactionRow>>();
  for (const [space, group] of Map.groupBy(keys, spaceOf)) {
    const [{ accountId, kind, provider }] = group as [TransactionKey];
    const ids = group.map(({ transactionId }) => transactionId);
    const { rows } = await sql<TransactionRow>`
      select * from transactions
      where account_id = ${accountId} and kind = ${kind} and provider = ${provider}
        and transaction_id ${amongAll(database, ids)}`.execute(database.tables());
    found.set(space, new Map(rows.map((row) => [row.transaction_id, row])));
  }
  return found;
};

/** The ids are one parameter, so that any number of them has the same text, which is prepared once. */
const amongAll = ({ engine }: Database, ids: readonly string[]) =>
  engine === 'postgres' ? sql`= any(${ids})` : sql`in (select value from json_each(${JSON.stringify(ids)}))`;

const spaceOf = ({ accountId, kind, provider }: TransactionKey): string => `${accountId} ${kind} ${provider}`;
