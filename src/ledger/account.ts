import type { Selectable } from 'kysely';
import type { AddressOnFile, Customer, NexusOnFile } from '../contract/on-file.ts';
import type { Database } from '../database/connect.ts';
import type { Clock } from '../kernel/calendar.ts';
import type { AccountRow, CustomerRow, LedgerTables } from './migrations.ts';

/** A seller who uses the service. The data of one account is never visible to another. */
export type Account = {
  /** Also the `user_id` of the account's transactions. */
  readonly id: number;
  readonly name: string;
  readonly address?: AddressOnFile;
  readonly nexus: readonly NexusOnFile[];
  /** The use that buyers make of their purchases, if the account states it; some states tax by it. */
  readonly buyerUse?: 'business' | 'personal';
};

const NEW_ACCOUNT = {
  address: null,
  nexus: '[]',
  buyer_use: null,
  // Not read any more: a request that names no version gets that of all accounts.
  api_version: '2020-08-07',
} as const;

/** A setting that is `undefined` stays as it is; a new account has its default. */
type AccountSettings = {
  readonly name: string;
  readonly address?: AddressOnFile | undefined;
  readonly nexus?: readonly NexusOnFile[] | undefined;
  /** `null` when the account states none any more. */
  readonly buyerUse?: 'business' | 'personal' | null | undefined;
};

export const accountStore = (database: Database, clock: Clock) => {
  const tables = database.tables<LedgerTables>();
  const readings = recentReadings<number, Account>(clock);
  const accountWith = async (key: { readonly id: number } | { readonly name: string }) => {
    const rows = tables.selectFrom('accounts').selectAll();
    const row = await rows.where(({ and }) => and(key)).executeTakeFirst();
    return row && accountOf(row);
  };

  return {
    /** Create the account of this name, or change these settings of it if it exists. */
    ensure: async ({ name, address, nexus, buyerUse }: AccountSettings) => {
      const stated = {
        ...(address !== undefined && { address: JSON.stringify(address) }),
        ...(nexus !== undefined && { nexus: JSON.stringify(nexus) }),
        ...(buyerUse !== undefined && { buyer_use: buyerUse }),
      };
      const row = await tables
        .insertInto('accounts')
        .values({ ...NEW_ACCOUNT, name, ...stated, created_at: clock.now() })
        // The name is repeated because an update has to set something.
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ name, ...stated }))
        .returningAll()
        .executeTakeFirstOrThrow();
      const account = accountOf(row);
      readings.keep(account.id, account);
      return account;
    },
    find: (id: number) => readings.read(id, () => accountWith({ id })),
    findByName: (name: string) => accountWith({ name }),
    /** Ordered by name. */
    list: async () => {
      const rows = await tables.selectFrom('accounts').selectAll().orderBy('name').execute();
      return rows.map(accountOf);
    },
  };
};

const accountOf = (row: Selectable<AccountRow>): Account => ({
  id: row.id,
  name: row.name,
  nexus: JSON.parse(row.nexus) as Account['nexus'],
  ...(row.address !== null && { address: JSON.parse(row.address) as NonNullable<Account['address']> }),
  ...(row.buyer_use !== null && { buyerUse: row.buyer_use }),
});

/** What changes of a customer: the parts that are named. */
export type CustomerChanges = {
  readonly [Part in Exclude<keyof Customer, 'customer_id'>]?: Customer[Part] | undefined;
};

/** The buyers whose exemptions the accounts have on file. */
export type CustomerStore = ReturnType<typeof customerStore>;

export const customerStore = (database: Database) => {
  const tables = database.tables<LedgerTables>();
  return {
    /** `false` when the account already has a customer with this id. */
    create: async (accountId: number, { exempt_regions, ...customer }: Customer) => {
      const { numInsertedOrUpdatedRows } = await tables
        .insertInto('customers')
        .values({ account_id: accountId, ...customer, exempt_regions: JSON.stringify(exempt_regions) })
        .onConflict((conflict) => conflict.columns(['account_id', 'customer_id']).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    find: async (accountId: number, id: string) => {
      const query = tables.selectFrom('customers').selectAll().where('account_id', '=', accountId);
      return customerOf(await query.where('customer_id', '=', id).executeTakeFirst());
    },
    /**
     * Change the named parts in one step, so that of two changes at once both are made. Returns the customer as it is now,
     * `undefined` when there is none.
     */
    update: async (
      accountId: number,
      id: string,
      { exempt_regions: regions, ...changes }: CustomerChanges,
    ) => {
      const row = await tables
        .updateTable('customers')
        // The id is repeated because an update has to set something; absent parts are not set.
        .set({ ...changes, customer_id: id, ...(regions && { exempt_regions: JSON.stringify(regions) }) })
        .where('account_id', '=', accountId)
        .where('customer_id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return customerOf(row);
    },
    /** Returns the customer that was removed. */
    remove: async (accountId: number, id: string) => {
      const removal = tables.deleteFrom('customers').where('account_id', '=', accountId);
      return customerOf(await removal.where('customer_id', '=', id).returningAll().executeTakeFirst());
    },
    /** The ids, in order. */
    list: async (accountId: number) => {
      const query = tables.selectFrom('customers').select('customer_id').where('account_id', '=', accountId);
      return (await query.orderBy('customer_id').execute()).map((row) => row.customer_id);
    },
  };
};

const customerOf = (row: CustomerRow | undefined): Customer | undefined => {
  if (!row) return undefined;
  const { account_id: _account, exempt_regions: regions, ...customer } = row;
  return { ...customer, exempt_regions: JSON.parse(regions) as Customer['exempt_regions'] };
};

const FRESH_MS = 1_000;
const READINGS_MAX = 10_000;

/**
 * A cache of recent reads, so that a busy service does not read the same row with every request. `forget` clears it
 * after a change by this process; a change by another process is seen when an entry expires. A missing value is not cached.
 */
export const recentReadings = <Key, Value>(clock: Clock) => {
  const readings = new Map<Key, { readonly value: Value; readonly freshUntil: number }>();
  const keep = (key: Key, value: Value): void => {
    if (readings.size >= READINGS_MAX) readings.clear();
    readings.set(key, { value, freshUntil: clock.now() + FRESH_MS });
  };
  return {
    keep,
    /** Returns the cached value, or loads it. */
    read: async (key: Key, load: () => Promise<Value | undefined>): Promise<Value | undefined> => {
      const known = readings.get(key);
      if (known && clock.now() < known.freshUntil) return known.value;
      const value = await load();
      if (value !== undefined) keep(key, value);
      return value;
    },
    forget: () => readings.clear(),
  };
};
