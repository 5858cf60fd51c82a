import type { Selectable } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Account, type AccountSettings, API_VERSION_DEFAULT } from './account.ts';
import { recentReadings } from './recent-readings.ts';
import type { AccountRow, LedgerTables } from './tables.ts';

export type AccountStore = {
  /** The account of this name: made when it is not there, else with its settings brought up to date. */
  readonly ensure: (settings: AccountSettings) => Promise<Account>;
  readonly find: (id: number) => Promise<Account | undefined>;
  readonly findByName: (name: string) => Promise<Account | undefined>;
  /** By name. */
  readonly list: () => Promise<readonly Account[]>;
};

export const accountStore = (database: Database, clock: Clock): AccountStore => {
  const tables = database.tables<LedgerTables>();
  const readings = recentReadings<number, Account>(clock);
  const remembered = (account: Account): Account => {
    readings.keep(account.id, account);
    return account;
  };

  return {
    ensure: async (settings) => {
      const values = {
        address: settings.address ? JSON.stringify(settings.address) : null,
        nexus: JSON.stringify(settings.nexus),
        buyer_use: settings.buyerUse ?? null,
        api_version: settings.apiVersion ?? API_VERSION_DEFAULT,
        plan_limit: settings.planLimit ?? null,
        block_over_plan: settings.blockOverPlan ? 1 : 0,
      };
      const row = await tables
        .insertInto('accounts')
        .values({ name: settings.name, ...values, created_at: clock.now() })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      return remembered(accountOf(row));
    },
    find: async (id) => {
      const reading = readings.get(id);
      if (reading !== undefined) return reading;
      const row = await tables.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && remembered(accountOf(row));
    },
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
