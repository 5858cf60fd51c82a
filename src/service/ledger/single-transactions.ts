import type { CompiledQuery, Kysely } from 'kysely';
import { withValues } from '../../database/with-values.ts';
import type { WriteQueue } from '../../database/write-queue.ts';
import type { GatheredTransactions } from './gathered-transactions.ts';
import type { LedgerTables, TransactionRow } from './tables.ts';
import type { TransactionKey } from './transaction-store.ts';

/** Creates and readings one by one, each by a statement that is built once. */
export const singleTransactions = (tables: Kysely<LedgerTables>, queue: WriteQueue): GatheredTransactions => {
  let insertion: Insertion | undefined;
  let reading: CompiledQuery<TransactionRow> | undefined;
  return {
    create: async (row) => {
      insertion ??= insertionLike(tables, row);
      const values = insertion.columns.map((column) => row[column]);
      return (await queue.write(withValues(insertion.statement, values))) === 1;
    },
    find: async (key) => {
      reading ??= readingLike(tables, key);
      const { rows } = await tables.executeQuery(withValues(reading, valuesOf(key)));
      return rows[0];
    },
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

const readingLike = (
  tables: Kysely<LedgerTables>,
  { accountId, kind, provider, transactionId }: TransactionKey,
): CompiledQuery<TransactionRow> =>
  tables
    .selectFrom('transactions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('provider', '=', provider)
    .where('transaction_id', '=', transactionId)
    .compile();

/** In the order in which the reading names them. */
const valuesOf = ({ accountId, kind, provider, transactionId }: TransactionKey): readonly unknown[] => [
  accountId,
  kind,
  provider,
  transactionId,
];
