import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Order, TransactionKind } from '../../contract/transaction.ts';
import { afterKey } from '../../database/after-key.ts';
import type { Database } from '../../database/database.ts';
import { freshStatistics } from '../../database/fresh-statistics.ts';
import { pagesOf } from '../../database/pages.ts';
import type { WriteQueue } from '../../database/write-queue.ts';
import type { Instant } from '../../kernel/calendar.ts';
import type { LedgerTables } from './tables.ts';
import { transactionLists } from './transaction-lists.ts';
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

/** A record, and whether it is an order or a refund; the account is the record's `user_id`. */
export type Recorded = { readonly kind: TransactionKind; readonly transaction: Order };

/** Writes are answered when they are durable. */
export type TransactionStore = {
  /** All of a list in one transaction. Answers in the order of the list, `false` for what was there already. */
  readonly create: (list: readonly Recorded[]) => Promise<readonly boolean[]>;
  /** In the order of the keys. */
  readonly find: (keys: readonly TransactionKey[]) => Promise<readonly (Reading | undefined)[]>;
  /** `false` when the transaction is gone or has changed since it was read. */
  readonly replace: (changed: Recorded, revision: number) => Promise<boolean>;
  /** `false` when there is no such transaction. */
  readonly remove: (key: TransactionKey) => Promise<boolean>;
  /** The ids of a span, ordered by (transaction_date, transaction_id). */
  readonly listIds: (span: TransactionSpan) => Promise<readonly string[]>;
  /** Another text after every change of a transaction of any account; `undefined` where the database cannot tell. */
  readonly mark: () => Promise<string | undefined>;
};

const IDS_PER_PAGE = 20_000;

export const transactionStore = (
  database: Database,
  queue: WriteQueue,
  /** Told of every group of creates that was committed, with its number of records. */
  onCommit: (records: number) => void = () => {},
): TransactionStore => {
  const tables = database.tables<LedgerTables>();
  const statistics = freshStatistics(database, 'transactions');
  const { create, find } = transactionLists(database, (records) => {
    statistics.countWrites(records);
    onCommit(records);
  });
  return {
    create: async (list) =>
      list.length === 0
        ? []
        : create(list.map(({ kind, transaction }) => ({ ...rowOf(kind, transaction), revision: 1 }))),
    find: async (keys) =>
      keys.length === 0
        ? []
        : (await find(keys)).map((row) => row && { transaction: transactionOf(row), revision: row.revision }),
    replace: async ({ kind, transaction }, revision) => {
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
    mark: async () => {
      if (database.engine === 'postgres') return undefined;
      const { mark } = await tables.selectFrom('transaction_mark').select('mark').executeTakeFirstOrThrow();
      return mark;
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
