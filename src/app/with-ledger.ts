import { withDatabase } from '../database/with-database.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Ledger, openLedger } from '../service/ledger/ledger.ts';

/** Open the books of the service at a database address, work with them, and close them again. */
export const withLedger = <Result>(
  url: string,
  clock: Clock,
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> => withDatabase(url, async (database) => work(await openLedger(database, clock)));
