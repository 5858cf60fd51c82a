import { withDatabase } from '../database/with-database.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Ledger, openLedger } from '../service/ledger/ledger.ts';

/** Opens the service's database at an address, runs work with it, and closes it. */
export const withLedger = <Result>(
  url: string,
  clock: Clock,
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> => withDatabase(url, async (database) => work(await openLedger(database, clock)));
