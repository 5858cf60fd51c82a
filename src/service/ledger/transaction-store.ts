import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DayMarks } from '../../contract/tax-service.ts';
import type { Order, TransactionKind, TransactionLine } from '../../contract/transaction.ts';
import type { Database } from '../../database/database.ts';
import { freshStatistics } from '../../database/fresh-statistics.ts';
import { gathered } from '../../database/gathered.ts';
import { insertNewRows } from '../../database/insert-rows.ts';
import { pagesBy } from '../../database/pages.ts';
import type { WriteQueue } from '../../database/write-queue.ts';
import {
  type CalendarDate,
  DAY_MS,
  type Instant,
  instant,
  startOfUtcDay,
  utcDateOf,
} from '../../kernel/calendar.ts';
import { price } from '../../kernel/money.ts';
import type { LedgerTables, TransactionRow } from './migrations.ts';

/** The identity of a transaction. Orders and refunds have separate ids, and so does every provider. */
export type TransactionKey = {
  readonly accountId: number;
  readonly kind: TransactionKind;
  readonly provider: string;
  readonly transactionId: string;
};

/** A transaction as it was read; `revision` identifies its state, also among others that had its key before. */
export type Reading = { readonly transaction: Order; readonly revision: number };

type TransactionSpan = {
  readonly accountId: number;
  readonly kind: TransactionKind;
  readonly provider: string;
  /** The first instant of the span. */
  readonly from?: Instant;
  /** The first instant after the span. */
  readonly before?: Instant;
};

/** A record, and whether it is an order or a refund; the account is the record's `user_id`. */
type Recorded = { readonly kind: TransactionKind; readonly transaction: Order };

/** Writes are answered when they are durable. */
export type TransactionStore = {
  /** Create a list in one transaction. Returns results in the order of the list, `false` for existing records. */
  readonly create: (list: readonly Recorded[]) => Promise<readonly boolean[]>;
  /** Results are in the order of the keys. */
  readonly find: (keys: readonly TransactionKey[]) => Promise<readonly (Reading | undefined)[]>;
  /** `false` when the transaction was removed or changed since it was read. */
  readonly replace: (changed: Recorded, revision: number) => Promise<boolean>;
  /** `false` when there is no such transaction. */
  readonly remove: (key: TransactionKey) => Promise<boolean>;
  /** The ids of a span, ordered by (transaction_date, transaction_id). */
  readonly listIds: (span: TransactionSpan) => Promise<readonly string[]>;
  /** The marks of days in UTC of an account; a day without changes has none. */
  readonly marks: (accountId: number, days: Days) => Promise<DayMarks>;
};

const IDS_PER_PAGE = 20_000;

export const transactionStore = (
  database: Database,
  queue: WriteQueue,
  /** Called for every committed group of creates with its number of records. */
  onCommit: (records: number) => void = () => {},
): TransactionStore => {
  const tables = database.tables<LedgerTables>();
  const statistics = freshStatistics(database, 'transactions');
  /** How many changes of a day were made here, by account and day. */
  const own = new Map<string, number>();
  const countOwn = (accountId: number, date: number, changes: number): void => {
    const day = `${accountId} ${Math.floor(date / DAY_MS)}`;
    own.set(day, (own.get(day) ?? 0) + changes);
  };
  const { create, find } = transactionLists(database, (records) => {
    statistics.countWrites(records);
    onCommit(records);
  });
  return {
    create: async (list) => {
      const created = list.length === 0 ? [] : await create(rowsOf(list));
      for (const [index, { transaction }] of list.entries())
        if (created[index]) countOwn(transaction.user_id, transaction.transaction_date, 1);
      return created;
    },
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
      const isDone = (await queue.write(update.compile())) === 1;
      // One that leaves its day counts there as a change by others.
      if (isDone) countOwn(transaction.user_id, transaction.transaction_date, 2);
      return isDone;
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
        // A long listing lets other work run after each page.
        if (page.length === IDS_PER_PAGE) await nextTurn();
      }
      return ids;
    },
    marks: async (accountId, { first, last }) => {
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

const pagesOfSpan = (
  tables: Kysely<LedgerTables>,
  { accountId, kind, provider, from, before }: TransactionSpan,
) =>
  pagesBy(
    tables
      .selectFrom('transactions')
      .select(['transaction_date', 'transaction_id'])
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('provider', '=', provider)
      .$if(before !== undefined, (query) => query.where('transaction_date', '<', before as number)),
    ['transaction_date', 'transaction_id'],
    IDS_PER_PAGE,
    from,
  );

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
  return { account_id: user_id, kind, ...fields, customer_id, line_items: JSON.stringify(line_items) };
};

/** Build the transaction of a row. Its fields are in the order of the interface, as in a new record. */
const transactionOf = (row: TransactionRow): Order => ({
  transaction_id: row.transaction_id,
  user_id: row.account_id,
  transaction_date: instant(row.transaction_date),
  transaction_reference_id: row.transaction_reference_id,
  provider: row.provider,
  exemption_type: row.exemption_type,
  customer_id: row.customer_id,
  from_country: row.from_country,
  from_zip: row.from_zip,
  from_state: row.from_state,
  from_city: row.from_city,
  from_street: row.from_street,
  to_country: row.to_country,
  to_zip: row.to_zip,
  to_state: row.to_state,
  to_city: row.to_city,
  to_street: row.to_street,
  amount: price(row.amount),
  shipping: price(row.shipping),
  sales_tax: price(row.sales_tax),
  line_items: JSON.parse(row.line_items) as TransactionLine[],
});

/** Creates and reads lists of transactions for many concurrent callers. */
type TransactionLists = {
  /** `false` for records that existed already, and for all but the first when a list has a key several times. */
  readonly create: (rows: readonly TransactionRow[]) => Promise<readonly boolean[]>;
  readonly find: (keys: readonly TransactionKey[]) => Promise<readonly (TransactionRow | undefined)[]>;
};

/** Maximum number of lists in one group: no one else writes, or on SQLite reads, meanwhile. */
const LISTS_MAX = 250;
/** One group of creates gathers while another commits; a further one hides the latency of the disk or the server. */
const CREATES_IN_FLIGHT = 2;
/** SQLite has a single connection. */
const READINGS_IN_FLIGHT = { sqlite: 1, postgres: 4 };

/**
 * Lists that arrive together are created in one transaction; reads of the same account, kind and provider are one
 * statement.
 */
const transactionLists = (database: Database, onCommit: (records: number) => void): TransactionLists => ({
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

/** An id does not contain blanks, so the text is unique. */
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

/** Match ids as one parameter, so that the text is the same for any number of them and is prepared once. */
const amongAll = ({ engine }: Database, ids: readonly string[]) =>
  engine === 'postgres' ? sql`= any(${ids})` : sql`in (select value from json_each(${JSON.stringify(ids)}))`;

const spaceOf = ({ accountId, kind, provider }: TransactionKey): string => `${accountId} ${kind} ${provider}`;
