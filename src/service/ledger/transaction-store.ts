import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Order } from '../../contract/transaction.ts';
import { afterKey } from '../../database/after-key.ts';
import type { Database } from '../../database/database.ts';
import { freshStatistics } from '../../database/fresh-statistics.ts';
import { pagesOf } from '../../database/pages.ts';
import type { WriteQueue } from '../../database/write-queue.ts';
import type { Instant } from '../../kernel/calendar.ts';
import { postgresTransactions } from './postgres-transactions.ts';
import { sqliteTransactions } from './sqlite-transactions.ts';
import type { LedgerTables, TransactionKind, TransactionRow } from './tables.ts';
import { rowOf, transactionOf } from './transaction-row.ts';

/** What identifies a transaction. Orders and refunds are two spaces of ids, and so is every provider. */
export type TransactionKey = {
  readonly accountId: number;
  readonly kind: TransactionKind;
  readonly provider: string;
  readonly transactionId: string;
};

/** A transaction as it was read; `revision` says which state of it. */
export type Reading = { readonly transaction: Order; readonly revision: number };

export type TransactionSpan = {
  readonly accountId: number;
  readonly kind: TransactionKind;
  readonly provider: string;
  /** The first instant that counts. */
  readonly from?: Instant;
  /** The first instant that does not count any more. */
  readonly before?: Instant;
};

/** Writes are answered when they are durable. */
export type TransactionStore = {
  /** `false` when there is one already; the account is the transaction's `user_id`. */
  readonly create: (kind: TransactionKind, transaction: Order) => Promise<boolean>;
  readonly find: (key: TransactionKey) => Promise<Reading | undefined>;
  /** `false` when the transaction is gone or has changed since it was read. */
  readonly replace: (kind: TransactionKind, transaction: Order, revision: number) => Promise<boolean>;
  /** `false` when there is no such transaction. */
  readonly remove: (key: TransactionKey) => Promise<boolean>;
  /** The ids of a span, ordered by (transaction_date, transaction_id). */
  readonly listIds: (span: TransactionSpan) => Promise<readonly string[]>;
};

/** Creates and readings of one transaction each, of many callers at once. */
export type SingleTransactions = {
  /** `false` when there is one already. */
  readonly create: (row: TransactionRow) => Promise<boolean>;
  readonly find: (key: TransactionKey) => Promise<TransactionRow | undefined>;
};

const IDS_PER_PAGE = 20_000;

export const transactionStore = (database: Database, queue: WriteQueue): TransactionStore => {
  const tables = database.tables<LedgerTables>();
  const statistics = freshStatistics(database, 'transactions');
  const { create, find } =
    database.engine === 'postgres' ? postgresTransactions(database) : sqliteTransactions(tables, queue);
  return {
    create: async (kind, transaction) => {
      const isNew = await create({ ...rowOf(kind, transaction), revision: 1 });
      if (isNew) statistics.countWrites(1);
      return isNew;
    },
    find: async (key) => {
      const row = await find(key);
      return row && { transaction: transactionOf(row), revision: row.revision };
    },
    replace: async (kind, transaction, revision) => {
      const update = tables
        .updateTable('transactions')
        .set({ ...rowOf(kind, transaction), revision: revision + 1 })
        .where('account_id', '=', transaction.user_id)
        .where('kind', '=', kind)
        .where('provider', '=', transaction.provider)
        .where('transaction_id', '=', transaction.transaction_id)
        .where('revision', '=', revision);
      return (await queue.write(update.compile())) === 1;
    },
    remove: async ({ accountId, kind, provider, transactionId }) => {
      const removal = tables
        .deleteFrom('transactions')
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .where('provider', '=', provider)
        .where('transaction_id', '=', transactionId);
      return (await queue.write(removal.compile())) === 1;
    },
    listIds: async (span) => {
      const ids: string[] = [];
      for await (const page of pagesOfSpan(tables, span)) {
        for (const row of page) ids.push(row.transaction_id);
        // A long listing lets everybody else have a turn after each page.
        if (page.length === IDS_PER_PAGE) await nextTurn();
      }
      return ids;
    },
  };
};

const pagesOfSpan = (
  tables: Kysely<LedgerTables>,
  { accountId, kind, provider, from, before }: TransactionSpan,
) =>
  pagesOf<{ readonly transaction_date: number; readonly transaction_id: string }>(
    IDS_PER_PAGE,
    (after, rowsMax) =>
      tables
        .selectFrom('transactions')
        .select(['transaction_date', 'transaction_id'])
        .where('account_id', '=', accountId)
        .where('kind', '=', kind)
        .where('provider', '=', provider)
        .$if(from !== undefined && after === undefined, (query) =>
          query.where('transaction_date', '>=', from as number),
        )
        .$if(before !== undefined, (query) => query.where('transaction_date', '<', before as number))
        .$if(after !== undefined, (query) => query.where(afterKey(after as NonNullable<typeof after>)))
        .orderBy('transaction_date')
        .orderBy('transaction_id')
        .limit(rowsMax)
        .execute(),
  );
