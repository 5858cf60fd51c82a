import type { Database } from '../../database/database.ts';
import type { LedgerTables } from './tables.ts';

/** Calculations and rate lookups per account and month (`2026-10`, UTC): what a plan is billed by. */
export type UsageStore = {
  /** Counts at once and writes soon: an answer never waits for its own counting. */
  readonly count: (accountId: number, month: string) => void;
  readonly of: (accountId: number, month: string) => Promise<number>;
  readonly flush: () => Promise<void>;
};

/** A crash loses what was counted in this time at the most. */
const WRITE_EVERY_MS = 250;

export const usageStore = (database: Database): UsageStore => {
  const tables = database.tables<LedgerTables>();
  let pending = new Map<string, { accountId: number; month: string; calculations: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const add = (accountId: number, month: string, calculations: number): void => {
    const key = `${accountId}/${month}`;
    const counted = pending.get(key)?.calculations ?? 0;
    pending.set(key, { accountId, month, calculations: counted + calculations });
  };

  const writePending = async (): Promise<void> => {
    const taken = [...pending.values()];
    pending = new Map();
    for (const [index, { accountId, month, calculations }] of taken.entries()) {
      try {
        await tables
          .insertInto('usage')
          .values({ account_id: accountId, month, calculations })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'month']).doUpdateSet((row) => ({
              calculations: row('usage.calculations', '+', row.ref('excluded.calculations')),
            })),
          )
          .execute();
      } catch (error) {
        for (const left of taken.slice(index)) add(left.accountId, left.month, left.calculations);
        throw error;
      }
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // Whoever waits for a flush waits for the one under way, too; its error was already told to its own caller.
    writing = writing.catch(() => {}).then(writePending);
    return writing;
  };

  return {
    count: (accountId, month) => {
      add(accountId, month, 1);
      // When writing fails the counts stay, and the next calculation tries again.
      timer ??= setTimeout(() => void flush().catch(() => {}), WRITE_EVERY_MS);
    },
    of: async (accountId, month) => {
      await flush();
      const query = tables.selectFrom('usage').select('calculations').where('account_id', '=', accountId);
      return (await query.where('month', '=', month).executeTakeFirst())?.calculations ?? 0;
    },
    flush,
  };
};
