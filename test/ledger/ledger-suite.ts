import { afterAll, beforeAll } from 'vitest';
import { connect, type Database } from '../../src/database/connect.ts';
import { instant } from '../../src/kernel/calendar.ts';
import type { Account } from '../../src/ledger/account.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { TestDatabases } from '../support/databases.ts';

/** A clock that a test moves by hand. */
export const movableClock = (startMs = 1_790_000_000_000) => {
  let nowMs = startMs;
  return {
    now: () => instant(nowMs),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
};

/** One open ledger for a suite, with a way to open it again as another process would. */
export const ledgerForSuite = ({ newUrl }: TestDatabases) => {
  const clock = movableClock();
  const opened: Database[] = [];
  let url = '';
  let ledger: Ledger;
  let database: Database;
  let accounts = 0;
  const open = async () => {
    database = await connect(url);
    opened.push(database);
    return openLedger(database, clock);
  };
  beforeAll(async () => {
    url = await newUrl();
    ledger = await open();
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
  });
  return {
    clock,
    ledger: () => ledger,
    database: () => database,
    reopened: open,
    newAccount: (): Promise<Account> => {
      accounts += 1;
      return ledger.accounts.ensure({ name: `seller ${accounts}`, nexus: [] });
    },
  };
};
