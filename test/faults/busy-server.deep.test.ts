import { expect, test } from 'vitest';
import { exitCodeOf } from '../../src/kernel/exit-code.ts';
import { onPostgres, type TestDatabases } from '../support/databases.ts';
import { month } from '../support/month.ts';
import { closeBeside } from './close-beside.ts';
import { idsIn } from './ids-in.ts';
import { locker } from './locker.ts';

const ORDERS = Array.from({ length: 12 }, (_, index) => ({ name: `#${index + 1}` }));

/** How long a statement may wait for a lock, in milliseconds, where a test is not to wait for ten seconds. */
const IMPATIENT = '?lock_timeout=300';

const shopOn = async ({ newUrl }: TestDatabases, patience = '') => {
  const [ledger, workspace] = [await newUrl(), await newUrl()];
  const databases = { ledger: `${ledger}${patience}`, workspace: `${workspace}${patience}` };
  return { ...(await month({ orders: ORDERS, settings: { databases } })), ledger, workspace };
};
const IDS = ORDERS.map(({ name }) => name.slice(1)).sort();

type Place = {
  readonly stage: string;
  readonly table: string;
  readonly database: 'ledger' | 'workspace';
};
const ALL: readonly Place[] = [
  { stage: 'recompute', table: 'page', database: 'workspace' },
  { stage: 'submit', table: 'page', database: 'workspace' },
  { stage: 'submit', table: 'transactions', database: 'ledger' },
  { stage: 'read back', table: 'page', database: 'workspace' },
  { stage: 'read back', table: 'transactions', database: 'ledger' },
  { stage: 'reconcile', table: 'page', database: 'workspace' },
  { stage: 'report', table: 'closing', database: 'workspace' },
];
/** `npm run test:outages` has all of them. */
const PLACES = process.env['ALL_OUTAGES'] === '1' ? ALL : ALL.filter((_, index) => [0, 2, 6].includes(index));

onPostgres((databases) => {
  test.for(PLACES)(
    'a close waits for anyone who has locked a table of its server: $table when $stage begins',
    async ({ stage, table, database }) => {
      const shop = await shopOn(databases);
      const other = await locker(shop[database], table);
      await closeBeside(shop, stage, async () => {
        await other.lock();
        await other.waitedFor();
        await other.release();
      });
      expect(await idsIn(shop.ledger)).toEqual(IDS);
    },
  );

  test.for(PLACES)(
    'a close that waits for too long says so with exit code 75, and the next one goes on: $table when $stage begins',
    async ({ stage, table, database }) => {
      const shop = await shopOn(databases, IMPATIENT);
      const other = await locker(shop[database], table);
      const error = await closeBeside(shop, stage, other.lock).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'E_DATABASE_BUSY' });
      expect(exitCodeOf(error)).toBe(75);
      expect((await shop.files()).size).toBe(0);
      await other.release();
      expect(await shop.close()).toMatchObject({ readiness: { ready: true } });
      expect(await idsIn(shop.ledger)).toEqual(IDS);
    },
  );
});
