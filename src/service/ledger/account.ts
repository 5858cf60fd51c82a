import type { Selectable } from 'kysely';
import type { AddressOnFile, NexusOnFile } from '../../contract/on-file.ts';
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../kernel/calendar.ts';
import { recentReadings } from './recent-readings.ts';
import type { AccountRow, LedgerTables } from './tables.ts';

/** A seller who uses the service. The data of one account is never visible to another. */
export type Account = {
  /** Also the `user_id` of the account's transactions. */
  readonly id: number;
  readonly name: string;
  readonly address?: AddressOnFile;
  readonly nexus: readonly NexusOnFile[];
  /** The use that buyers make of their purchases, if the account states it; some states tax by it. */
  readonly buyerUse?: 'business' | 'personal';
  /** The dated version of the interface that applies when a request does not name one. */
  readonly apiVersion: string;
  /** Calculations and look-ups of rates per month that the account's plan includes. */
  readonly planLimit?: number;
  /** Whether calculations beyond the plan are refused; otherwise they are counted as overage. */
  readonly blockOverPlan: boolean;
};

/** The version of accounts that do not choose one, like that of the live service since July 2021. */
const API_VERSION_DEFAULT = '2020-08-07';

const NEW_ACCOUNT = {
  address: null,
  nexus: '[]',
  buyer_use: null,
  api_version: API_VERSION_DEFAULT,
  plan_limit: null,
  block_over_plan: 0,
} as const;

/** A setting that is `undefined` stays as it is; a new account has its default. */
type AccountSettings = {
  readonly name: string;
  readonly address?: AddressOnFile | undefined;
  readonly nexus?: readonly NexusOnFile[] | undefined;
  /** `null` when the account states none any more. */
  readonly buyerUse?: 'business' | 'personal' | null | undefined;
  readonly apiVersion?: string | undefined;
  readonly planLimit?: number | undefined;
  readonly blockOverPlan?: boolean | undefined;
};

export type AccountStore = {
  /** Create the account of this name, or change these settings of it if it exists. */
  readonly ensure: (settings: AccountSettings) => Promise<Account>;
  readonly find: (id: number) => Promise<Account | undefined>;
  readonly findByName: (name: string) => Promise<Account | undefined>;
  /** Ordered by name. */
  readonly list: () => Promise<readonly Account[]>;
};

export const accountStore = (database: Database, clock: Clock): AccountStore => {
  const tables = database.tables<LedgerTables>();
  const readings = recentReadings<number, Account>(clock);

  return {
    ensure: async (settings) => {
      const { name, address, nexus, buyerUse, apiVersion, planLimit, blockOverPlan } = settings;
      const stated = {
        ...(address !== undefined && { address: JSON.stringify(address) }),
        ...(nexus !== undefined && { nexus: JSON.stringify(nexus) }),
        ...(buyerUse !== undefined && { buyer_use: buyerUse }),
        ...(apiVersion !== undefined && { api_version: apiVersion }),
        ...(planLimit !== undefined && { plan_limit: planLimit }),
        ...(blockOverPlan !== undefined && { block_over_plan: blockOverPlan ? 1 : 0 }),
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
    find: (id) =>
      readings.read(id, async () => {
        const row = await tables.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
        return row && accountOf(row);
      }),
    findByName: async (name) => {
      const row = await tables.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
      return row && accountOf(row);
    },
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
  apiVersion: row.api_version,
  blockOverPlan: row.block_over_plan === 1,
  ...(row.address !== null && { address: JSON.parse(row.address) as NonNullable<Account['address']> }),
  ...(row.buyer_use !== null && { buyerUse: row.buyer_use }),
  ...(row.plan_limit !== null && { planLimit: row.plan_limit }),
});
