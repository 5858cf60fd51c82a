import { checkTables } from '../../database/check-tables.ts';
import type { Database } from '../../database/database.ts';
import { migrate } from '../../database/migrate.ts';
import { writeQueue } from '../../database/write-queue.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type AccountStore, accountStore } from './account.ts';
import { type CustomerStore, customerStore } from './customer-store.ts';
import { type KeyStore, keyStore } from './key-store.ts';
import { LEDGER_MIGRATIONS, ledgerColumns } from './migrations.ts';
import { type TransactionStore, transactionStore } from './transaction-store.ts';
import { type UsageStore, usageStore } from './usage-store.ts';

/** Everything the service remembers. */
export type Ledger = {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly customers: CustomerStore;
  readonly transactions: TransactionStore;
  readonly usage: UsageStore;
  /** Write what is still counted in memory; closing the database does so, too. */
  readonly flush: () => Promise<void>;
};

/** Bring the ledger's tables up to date and open it. The database stays the caller's, who closes it. */
export const openLedger = async (
  database: Database,
  clock: Clock = systemClock,
  onCommit?: (writes: number) => void,
): Promise<Ledger> => {
  await migrate(database, LEDGER_MIGRATIONS);
  await checkTables(database, ledgerColumns(database.engine));
  const usage = usageStore(database, clock);
  database.beforeClose(usage.flush);
  return {
    accounts: accountStore(database, clock),
    keys: keyStore(database, clock),
    customers: customerStore(database),
    transactions: transactionStore(database, writeQueue(database, onCommit), onCommit),
    usage,
    flush: usage.flush,
  };
};
