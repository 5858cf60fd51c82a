import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { exitCodeOf } from '../../src/kernel/errors.ts';
import { silentProgress } from '../../src/runtime/pipeline.ts';
import { onPostgres } from '../support/databases.ts';
import { type Month, month } from '../support/month.ts';
import { endConnections, runOnServer } from '../support/new-database.ts';
import { addSeller, serveHere } from '../support/serving.ts';
import type { Order } from '../support/shop-exports.ts';
import { sharedFolder } from '../support/tieout.ts';
import { closeIn, startWorker } from '../support/workers-here.ts';

/** Two orders on each of six days. */
const ORDERS: readonly Order[] = Array.from({ length: 12 }, (_, index) => ({
  name: `#${index + 1}`,
  at: `2026-10-0${1 + (index % 6)} 09:00:00 -0700`,
  price: `${100 + 4 * index}.00`,
  tax: (10.75 + 0.43 * index).toFixed(2),
}));
const IDS = ORDERS.map(({ name }) => name.slice(1)).sort();
/** How long a statement may wait for a lock, in milliseconds, where a test is not to wait for ten seconds. */
const IMPATIENT = '?lock_timeout=300';

const whole = sharedFolder();
let undisturbed: Awaited<ReturnType<Month['files']>>;
beforeAll(async () => {
  const shop = await month({ orders: ORDERS }, whole);
  await shop.close();
  undisturbed = await shop.files();
});

/** A client of a server, until the test ends. */
const clientOf = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

/** The ids of all records that a server holds, in order. */
const idsIn = async (url: string): Promise<readonly string[]> => {
  const client = await clientOf(url);
  const { rows } = await client.query<{ id: string }>('select transaction_id as id from transactions');
  return rows.map(({ id }) => id).sort();
};

/** Somebody else, who locks the table of records and knows when a close waits for it. */
const lockerOf = async (url: string) => {
  const client = await clientOf(url);
  const waits = "select 1 from pg_locks where not granted and relation = 'transactions'::regclass";
  return {
    lock: () => client.query('begin; lock table transactions in access exclusive mode'),
    waitedFor: async (): Promise<void> => {
      while ((await client.query(waits)).rowCount === 0) await pause(10);
    },
    release: () => client.query('rollback').catch(() => {}),
  };
};

/** A shop with its records on a server, which has the queue, too. */
const shopOn = async (newUrl: () => Promise<string>, patience = '') => {
  const ledger = await newUrl();
  const databases = { ledger: `${ledger}${patience}` };
  const shop = await month({ orders: ORDERS, settings: { databases } });
  return {
    ...shop,
    ledger,
    /** Close, and let somebody else do something while the calculations are asked for. */
    closeBeside: async (work: () => Promise<unknown>): Promise<void> => {
      let beside: Promise<unknown> = Promise.resolve();
      const started = (name: string): void => {
        if (name === 'recompute') beside = work();
      };
      await shop.closeWith((ports) => ({ ...ports, progress: { ...silentProgress, started } }));
      await beside;
    },
  };
};
type Shop = Awaited<ReturnType<typeof shopOn>>;

/** What a close said that failed with a code, which must be that of an outage; it has published nothing. */
const saidBy = async (
  close: Promise<unknown>,
  shop: Shop,
  code = 'E_DATABASE_UNREACHABLE',
  exitCode = 69,
) => {
  const error = await close.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code });
  expect(exitCodeOf(error)).toBe(exitCode);
  expect((await shop.files()).size).toBe(0);
  return String(error);
};

const closesAsIfNothingHappened = async ({ close, files, ledger }: Shop): Promise<void> => {
  expect(await close()).toMatchObject({ readiness: { ready: true } });
  expect(await files()).toEqual(undisturbed);
  expect(await idsIn(ledger)).toEqual(IDS);
};

onPostgres(({ newUrl }) => {
  test('a close waits for anyone who has locked the table of records of its server', async () => {
    const shop = await shopOn(newUrl);
    const other = await lockerOf(shop.ledger);
    await shop.closeBeside(async () => {
      await other.lock();
      await other.waitedFor();
      await other.release();
    });
    expect(await shop.files()).toEqual(undisturbed);
  });

  test('a close that waits for too long says so with exit code 75, and the next one goes on', async () => {
    const shop = await shopOn(newUrl, IMPATIENT);
    const other = await lockerOf(shop.ledger);
    await saidBy(shop.closeBeside(other.lock), shop, 'E_DATABASE_BUSY', 75);
    await other.release();
    await closesAsIfNothingHappened(shop);
  });

  test('a close whose connections are ended while it records says so, and the next one is whole', async () => {
    const shop = await shopOn(newUrl);
    const other = await lockerOf(shop.ledger);
    const close = shop.closeBeside(async () => {
      await other.lock();
      await other.waitedFor();
      await endConnections(shop.ledger);
      await other.release();
    });
    expect(await saidBy(close, shop)).toContain('terminating connection due to administrator command');
    await closesAsIfNothingHappened(shop);
  });

  test('a close whose workers go on ends when it has lost the run lock, and workers and the next close go on', async () => {
    const shop = await shopOn(newUrl);
    let batches = 0;
    const worker = await startWorker(shop.folder, {
      onBatch: () => {
        batches += 1;
        return batches === 2 ? runOnServer(shop.ledger, END_LOCK) : undefined;
      },
    });
    expect(await saidBy(closeIn(shop.folder, { salesPerBatch: 2 }), shop)).toContain(
      'cannot be reached: terminating',
    );
    await closeIn(shop.folder, {});
    await worker.stop();
    await closesAsIfNothingHappened(shop);
  });

  test('a service whose connections are ended goes on, one that lost its books says 503, and it ends when it is asked to', async () => {
    const books = await newUrl();
    const served = await serve(books);
    expect(await served.record('1')).toBe(201);
    await endConnections(books);
    expect(await served.record('2')).toBe(201);
    expect(await idsIn(books)).toEqual(['1', '2']);

    // The service knows an account for a second after it has read it. Here that second lasts.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await served.calculate()).toBe(200);
    const name = new URL(books).pathname.slice(1);
    await runOnServer(new URL('/postgres', books).toString(), `drop database ${name} with (force)`);
    expect(await served.record('3')).toBeGreaterThanOrEqual(500);
    expect(await served.calculate()).toBe(200);
    await served.stop();
    await expect(served.metrics()).rejects.toThrow('fetch failed');
  });
});

const END_LOCK = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and classid = ${0x5449454f} and database = (
    select oid from pg_database where datname = current_database())`;

const SALE = {
  ...{
    from_country: 'US',
    from_zip: '95814',
    from_state: 'CA',
    amount: 100,
    shipping: 0,
  },
  ...{ to_country: 'US', to_zip: '94607', to_state: 'CA' },
};

/** The real service with its metrics, in this process, and one account. */
const serve = async (ledger: string) => {
  const key = await addSeller(ledger, ['CA']);
  const { url, metricsUrl = '', stop } = await serveHere(ledger);
  onTestFinished(() => stop().catch(() => {}));
  const call = async (path: string, more: object = {}): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ ...SALE, ...more });
    const reply = await fetch(new URL(path, url), { method: 'POST', headers, body });
    await reply.arrayBuffer();
    return reply.status;
  };
  return {
    calculate: () => call('taxes'),
    record: (id: string) =>
      call('transactions/orders', {
        ...{ transaction_id: id, transaction_date: '2026-10-05', sales_tax: 10.75 },
      }),
    metrics: () => fetch(metricsUrl),
    stop,
  };
};
