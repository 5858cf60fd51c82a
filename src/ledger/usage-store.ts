import type { Database } from '../database/connect.ts';
import type { LedgerTables } from './migrations.ts';

/** Calculations and rate look-ups per account and month (`2026-10`, UTC), by which a plan is billed. */
export type UsageStore = {
  /** Counts immediately and writes soon: an answer never waits for it. */
  readonly count: (accountId: number, month: string) => void;
  readonly of: (accountId: number, month: string) => Promise<number>;
  readonly flush: () => Promise<void>;
};

const keyOf = (accountId: number, month: string): string => `${accountId}/${month}`;

/** A crash loses the counts of this time at most. */
const WRITE_EVERY_MS = 250;

export const usageStore = (database: Database): UsageStore => {
  const tables = database.tables<LedgerTables>();
  let pending = new Map<string, { accountId: number; month: string; calculations: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const add = (accountId: number, month: string, calculations: number): void => {
    const key = keyOf(accountId, month);
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
    // A flush also waits for the one in progress, whose error its own caller has received.
    writing = writing.catch(() => {}).then(writePending);
    return writing;
  };

  const count = (accountId: number, month: string): void => {
    add(accountId, month, 1);
    // If writing fails, the counts are kept, and the next calculation tries again.
    timer ??= setTimeout(() => void flush().catch(() => {}), WRITE_EVERY_MS);
  };

  return {
    count,
    of: async (accountId, month) => {
      await flush();
      const query = tables.selectFrom('usage').select('calculations').where('account_id', '=', accountId);
      return (await query.where('month', '=', month).executeTakeFirst())?.calculations ?? 0;
    },
    flush,
  };
};
