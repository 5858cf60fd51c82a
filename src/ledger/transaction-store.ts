import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DayMarks } from '../contract/tax-service.ts';
import {
  type Order,
  orderedRecord,
  type TransactionKind,
  type TransactionLine,
} from '../contract/transaction.ts';
import type { Database } from '../database/connect.ts';
import { freshStatistics, insertNewRows } from '../database/rows.ts';
import {
  type CalendarDate,
  DAY_MS,
  type Instant,
  instant,
  startOfUtcDay,
  utcDateOf,
} from '../kernel/calendar.ts';
import type { LedgerTables, TransactionRow } from './migrations.ts';

const KEY = ['account_id', 'kind', 'provider', 'transaction_id'] as const;

/** The identity of a transaction. Orders and refunds have separate ids, and so does every provider. */
export type TransactionKey = Pick<TransactionRow, (typeof KEY)[number]>;

/** A transaction as it was read; `revision` identifies its state, also among others that had its key before. */
export type Reading = { readonly transaction: Order; readonly revision: number };

type TransactionSpan = Omit<TransactionKey, 'transaction_id'> & {
  /** The first instant of the span. */
  readonly from?: Instant;
  /** The first instant after the span. */
  readonly before?: Instant;
};

/** A record, and whether it is an order or a refund; the account is the record's `user_id`. */
type Recorded = { readonly kind: TransactionKind; readonly transaction: Order };

/** Writes are answered when they are durable. */
export type TransactionStore = ReturnType<typeof transactionStore>;

const IDS_PER_PAGE = 20_000;

export const transactionStore = (database: Database) => {
  const tables = database.tables<LedgerTables>();
  const countWrites = freshStatistics(database, 'transactions');
  /** How many changes of a day were made here, by account and day. */
  const own = new Map<string, number>();
  const countOwn = (accountId: number, date: number, changes: number): void => {
    const day = `${accountId} ${Math.floor(date / DAY_MS)}`;
    own.set(day, (own.get(day) ?? 0) + changes);
  };
  return {
    /**
     * Create a list in one transaction. Returns results in the order of the list, `false` for records that existed already,
     * and for all but the first when the list has a key several times.
     */
    create: async (list: readonly Recorded[]) => {
      if (list.length === 0) return [];
      const rows = rowsOf(list);
      const keys = await insertNewRows<TransactionKey>(database, { into: 'transactions', rows, key: KEY });
      const created = new Set(keys.map(textOf));
      countWrites(created.size);
      return rows.map((row) => {
        // A list may have a key several times.
        const isCreated = created.delete(textOf(row));
        if (isCreated) countOwn(row.account_id, row.transaction_date, 1);
        return isCreated;
      });
    },
    /** Results are in the order of the keys. */
    find: async (keys: readonly TransactionKey[]): Promise<readonly (Reading | undefined)[]> => {
      const found = await findAll(database, keys);
      return keys.map((key) => {
        const row = found.get(textOf(key));
        return row && { transaction: transactionOf(row), revision: row.revision };
      });
    },
    /** `false` when the transaction was removed or changed since it was read. */
    replace: async ({ kind, transaction }: Recorded, revision: number) => {
      const row = rowOf(kind, transaction);
      const { account_id, provider, transaction_id } = row;
      const update = tables
        .updateTable('transactions')
        .set({ ...row, revision: revision + 1 })
        .where(({ and }) => and({ account_id, kind, provider, transaction_id, revision }));
      const isDone = (await update.executeTakeFirst()).numUpdatedRows === 1n;
      // One that leaves its day counts there as a change by others.
      if (isDone) countOwn(transaction.user_id, transaction.transaction_date, 2);
      return isDone;
    },
    /** `false` when there is no such transaction. */
    remove: async (key: TransactionKey) => {
      const removal = tables.deleteFrom('transactions').where(({ and }) => and(key));
      return (await removal.executeTakeFirst()).numDeletedRows === 1n;
    },
    /** The ids of a span, ordered by (transaction_date, transaction_id). */
    listIds: (span: TransactionSpan) => idsIn(tables, span),
    /** The marks of days in UTC of an account; a day without changes has none. */
    marks: async (accountId: number, { first, last }: Days): Promise<DayMarks> => {
      const rows = await tables
        .selectFrom('transaction_day')
        .select(['day', 'mark', 'writes'])
        .where('account_id', '=', accountId)
        .where(({ between }) => between('day', dayNumber(first), dayNumber(last)))
        .execute();
      return new Map(
        rows.map(({ day, mark, writes }) => {
          const others = writes - (own.get(`${accountId} ${day}`) ?? 0);
          return [utcDateOf(instant(day * DAY_MS)), { mark, others }];
        }),
      );
    },
  };
};

type Days = { readonly first: CalendarDate; readonly last: CalendarDate };

const dayNumber = (day: CalendarDate): number => startOfUtcDay(day) / DAY_MS;

/**
 * Reads the ids of a span in pages, by time and id: each page begins after the last row of the one before. SQLite answers
 * synchronously, so between pages the process gets a turn for signals and other calls.
 */
const idsIn = async (
  tables: Kysely<LedgerTables>,
  { account_id, kind, provider, from, before }: TransactionSpan,
): Promise<readonly string[]> => {
  const all = tables
    .selectFrom('transactions')
    .select(['transaction_date', 'transaction_id'])
    .where(({ and }) => and({ account_id, kind, provider }))
    .$if(before !== undefined, (query) => query.where('transaction_date', '<', before as Instant))
    .orderBy('transaction_date')
    .orderBy('transaction_id')
    .limit(IDS_PER_PAGE);
  // A condition of the first page only: SQLite would begin each page at it and walk over all rows read before.
  let next = from === undefined ? all : all.where('transaction_date', '>=', from);
  const ids: string[] = [];
  for (;;) {
    const page = await next.execute();
    for (const row of page) ids.push(row.transaction_id);
    const last = page.at(-1);
    if (!last || page.length < IDS_PER_PAGE) return ids;
    const { transaction_date: date, transaction_id: id } = last;
    next = all.where(sql<boolean>`(transaction_date, transaction_id) > (${date}, ${id})`);
    await nextTurn();
  }
};

/** A new record has one of so many first revisions, so far apart. */
const FIRST_REVISIONS = 2 ** 32;
const REVISION_STEP = 1_000;

/**
 * Build the rows of new transactions. A transaction may have been removed and recorded again since somebody read it, so
 * the first revision is drawn at random: what was read before is never taken for what is there now.
 */
const rowsOf = (list: readonly Recorded[]): readonly TransactionRow[] => {
  const revision = randomInt(FIRST_REVISIONS) * REVISION_STEP;
  return list.map(({ kind, transaction }) => ({ ...rowOf(kind, transaction), revision }));
};

/**
 * Build the row of a recorded transaction. It uses the field names of the wire, so that nothing is translated twice: a
 * column for each field, and the lines as one JSON text with amounts as integers.
 */
const rowOf = (kind: TransactionKind, transaction: Order): Omit<TransactionRow, 'revision'> => {
  const { user_id, customer_id = null, line_items, ...fields } = transaction;
  return {
    account_id: user_id,
    kind,
    ...fields,
    customer_id,
    line_items: JSON.stringify(line_items),
  };
};

/** Build the transaction of a row. Its fields are in the order of the interface, as in a new record. */
const transactionOf = ({ account_id, line_items, ...row }: TransactionRow): Order =>
  orderedRecord({ ...row, user_id: account_id, line_items: JSON.parse(line_items) as TransactionLine[] });

/** An id does not contain blanks, so the text is unique. */
const textOf = (key: TransactionKey): string => `${spaceOf(key)} ${key.transaction_id}`;

const findAll = async (
  database: Database,
  keys: readonly TransactionKey[],
): Promise<ReadonlyMap<string, TransactionRow>> => {
  const found = new Map<string, TransactionRow>();
  for (const group of Map.groupBy(keys, spaceOf).values()) {
    const [{ account_id, kind, provider }] = group as [TransactionKey];
    const ids = group.map(({ transaction_id }) => transaction_id);
    const { rows } = await sql<TransactionRow>`
      select * from transactions
      where account_id = ${account_id} and kind = ${kind} and provider = ${provider}
        and transaction_id ${amongAll(database, ids)}`.execute(database.tables());
    for (const row of rows) found.set(textOf(row), row);
  }
  return found;
};

/** Match ids as one parameter, so that the text is the same for any number of them and is prepared once. */
const amongAll = ({ engine }: Database, ids: readonly string[]) =>
  engine === 'postgres' ? sql`= any(${ids})` : sql`in (select value from json_each(${JSON.stringify(ids)}))`;

const spaceOf = ({ account_id, kind, provider }: TransactionKey): string =>
  `${account_id} ${kind} ${provider}`;
