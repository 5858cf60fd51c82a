import { expect, test } from 'vitest';
import { exitCodeOf } from '../../src/kernel/errors.ts';
import { onPostgres, type TestDatabases } from '../support/databases.ts';
import { month } from '../support/month.ts';
import { closeBeside } from './close-beside.ts';
import { idsIn } from './ids-in.ts';
import { locker } from './locker.ts';

const ORDERS = Array.from({ length: 12 }, (_, index) => ({ name: `#${index + 1}` }));

/** How long a statement may wait for a lock, in milliseconds, where a test is not to wait for ten seconds. */
const IMPATIENT = '?lock_timeout=300';

const shopOn = async ({ newUrl }: TestDatabases, patience = '') => {
  const ledger = await newUrl();
  const databases = { ledger: `${ledger}${patience}` };
  return { ...(await month({ orders: ORDERS, settings: { databases } })), ledger };
};
const IDS = ORDERS.map(({ name }) => name.slice(1)).sort();

onPostgres((databases) => {
  test('a close waits for anyone who has locked the table of records of its server', async () => {
    const shop = await shopOn(databases);
    const other = await locker(shop.ledger, 'transactions');
    await closeBeside(shop, 'recompute', async () => {
      await other.lock();
      await other.waitedFor();
      await other.release();
    });
    expect(await idsIn(shop.ledger)).toEqual(IDS);
  });

  test('a close that waits for too long says so with exit code 75, and the next one goes on', async () => {
    const shop = await shopOn(databases, IMPATIENT);
    const other = await locker(shop.ledger, 'transactions');
    const error = await closeBeside(shop, 'recompute', other.lock).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'E_DATABASE_BUSY' });
    expect(exitCodeOf(error)).toBe(75);
    expect((await shop.files()).size).toBe(0);
    await other.release();
    expect(await shop.close()).toMatchObject({ readiness: { ready: true } });
    expect(await idsIn(shop.ledger)).toEqual(IDS);
  });
});
