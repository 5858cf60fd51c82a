import { connect } from './database/connect.ts';
import type { Clock } from './kernel/clock.ts';
import { type Ledger, openLedger } from './service/ledger/ledger.ts';

/** Open the books of the service at a database address, work with them, and close them again. */
export const withLedger = async <Result>(
  url: string,
  clock: Clock,
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> => {
  const database = await connect(url);
  try {
    return await work(await openLedger(database, clock));
  } finally {
    await database.close();
  }
};
