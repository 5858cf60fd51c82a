import { CompiledQuery, type Kysely } from 'kysely';
import { gathered } from '../../database/gathered.ts';
import { withValues } from '../../database/with-values.ts';
import type { WriteQueue } from '../../database/write-queue.ts';
import type { LedgerTables, TransactionRow } from './tables.ts';
import type { SingleTransactions, TransactionKey } from './transaction-store.ts';

/** Readings of one statement at the most: nobody else has the connection meanwhile. */
const READINGS_MAX = 250;

/** Every create is a statement of its own in the groups of the queue; readings that arrive together are one statement. */
export const sqliteTransactions = (tables: Kysely<LedgerTables>, queue: WriteQueue): SingleTransactions => {
  let insertion: Insertion | undefined;
  return {
    create: async (row) => {
      insertion ??= insertionLike(tables, row);
      const values = insertion.columns.map((column) => row[column]);
      return (await queue.write(withValues(insertion.statement, values))) === 1;
    },
    find: gathered<TransactionKey, TransactionRow | undefined>(
      { groupMax: READINGS_MAX, inFlightMax: 1 },
      (keys) => findAll(tables, keys),
    ),
  };
};

type Insertion = {
  readonly statement: CompiledQuery;
  /** The columns whose values it takes. */
  readonly columns: readonly (keyof TransactionRow)[];
};

const insertionLike = (tables: Kysely<LedgerTables>, row: TransactionRow): Insertion => ({
  statement: tables
    .insertInto('transactions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .compile(),
  columns: Object.keys(row) as (keyof TransactionRow)[],
});

/** The ids are one parameter, so that any number of them has the same text, which is prepared once. */
const READING = `select * from "transactions"
  where "account_id" = ? and "kind" = ? and "provider" = ?
    and "transaction_id" in (select "value" from json_each(?))`;

/** One statement for each space of ids among the keys: there is seldom more than one. */
const findAll = async (
  tables: Kysely<LedgerTables>,
  keys: readonly TransactionKey[],
): Promise<readonly (TransactionRow | undefined)[]> => {
  const found = new Map<string, ReadonlyMap<string, TransactionRow>>();
  for (const [space, group] of Map.groupBy(keys, spaceOf)) {
    const [{ accountId, kind, provider }] = group as [TransactionKey];
    const ids = JSON.stringify(group.map(({ transactionId }) => transactionId));
    const reading = CompiledQuery.raw(READING, [accountId, kind, provider, ids]);
    const { rows } = await tables.executeQuery<TransactionRow>(reading as CompiledQuery<TransactionRow>);
    found.set(space, new Map(rows.map((row) => [row.transaction_id, row])));
  }
  return keys.map((key) => found.get(spaceOf(key))?.get(key.transactionId));
};

const spaceOf = ({ accountId, kind, provider }: TransactionKey): string => `${accountId} ${kind} ${provider}`;
