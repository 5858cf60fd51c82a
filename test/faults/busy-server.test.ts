import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { isAllOk } from '../../src/close/report/all-ok.ts';
import { exitCodeOf } from '../../src/kernel/exit-code.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { publishedIn } from '../crash/outcome.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { onPostgres, type TestDatabases } from '../support/databases.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

const ORDERS = Array.from({ length: 12 }, (_, index) => ({ name: `#${index + 1}` }));

/** How long a statement may wait for a lock, in milliseconds, where a test is not to wait for ten seconds. */
const IMPATIENT = '?lock_timeout=300';

const shopOn = async ({ newUrl }: TestDatabases, patience = '') => {
  const folder = await temporaryFolder();
  const [ledger, workspace] = [await newUrl(), await newUrl()];
  await writeOrders(folder, 'orders.csv', ORDERS);
  const settings = `databases: { ledger: "${ledger}${patience}", workspace: "${workspace}${patience}" }\n`;
  await writeShop(folder, ['orders.csv'], [], settings);
  return { folder, ledger, workspace };
};
const IDS = ORDERS.map(({ name }) => name.slice(1)).sort();

const idsIn = async (url: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select transaction_id as id from transactions');
  await client.end();
  return rows.map(({ id }) => id).sort();
};

/** Somebody else, who locks a table of a database and says when a close waits for it. */
const locker = async (url: string, table: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const release = (): Promise<void> => client.end();
  onTestFinished(release);
  return {
    lock: () => client.query(`begin; lock table ${table} in access exclusive mode`),
    waitedFor: async (): Promise<void> => {
      for (;;) {
        const { rowCount } = await client.query(
          'select 1 from pg_locks where not granted and relation = $1::regclass',
          [table],
        );
        if (rowCount !== 0) return;
        await setTimeout(10);
      }
    },
    release,
  };
};

/** Close October, and let somebody else do something when a stage has begun. */
const closeBeside = (folder: string, stage: string, work: () => Promise<unknown>) => {
  let beside: Promise<unknown> = Promise.resolve();
  const started = (name: string): void => {
    if (name === stage) beside = work();
  };
  return portsHere(folder, async (ports) => {
    await monthlyClose.run({ ...ports, progress: { ...silentProgress, started } }, { period: '2026-10' });
    await beside;
  });
};

type Place = {
  readonly stage: string;
  readonly table: string;
  readonly database: 'ledger' | 'workspace';
};
const ALL: readonly Place[] = [
  { stage: 'recompute', table: 'calculation', database: 'workspace' },
  { stage: 'recompute', table: 'sale_calculation', database: 'workspace' },
  { stage: 'submit', table: 'submission', database: 'workspace' },
  { stage: 'submit', table: 'transactions', database: 'ledger' },
  { stage: 'pull-back', table: 'recorded', database: 'workspace' },
  { stage: 'pull-back', table: 'transactions', database: 'ledger' },
  { stage: 'reconcile', table: 'reconciled', database: 'workspace' },
  { stage: 'report', table: 'closing', database: 'workspace' },
];
/** `npm run test:outages` has all of them. */
const PLACES = process.env['ALL_OUTAGES'] === '1' ? ALL : ALL.filter((_, index) => [0, 3, 7].includes(index));

onPostgres((databases) => {
  test.for(PLACES)(
    'a close waits for whoever has locked a table of its server: $table when $stage begins',
    async ({ stage, table, database }) => {
      const shop = await shopOn(databases);
      const other = await locker(shop[database], table);
      await closeBeside(shop.folder, stage, async () => {
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
      const error = await closeBeside(shop.folder, stage, other.lock).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'E_DATABASE_BUSY' });
      expect(exitCodeOf(error)).toBe(75);
      expect(await publishedIn(shop.folder)).toEqual({});
      await other.release();
      const { written } = await closeHere(shop.folder);
      expect(isAllOk(written.report)).toBe(true);
      expect(await idsIn(shop.ledger)).toEqual(IDS);
    },
  );
});
