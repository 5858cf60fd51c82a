import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { exitCodeOf } from '../../src/kernel/errors.ts';
import { onPostgres } from '../support/databases.ts';
import { endConnections } from '../support/end-connections.ts';
import { type Month, month } from '../support/month.ts';
import { newDatabase, runOnServer } from '../support/new-database.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { addSeller, serveHere } from '../support/serving.ts';
import type { Order } from '../support/shop-exports.ts';
import { sharedFolder } from '../support/tieout.ts';
import { closeIn, startWorker } from '../support/workers-here.ts';
import { closeBeside } from './close-beside.ts';
import { idsIn } from './ids-in.ts';
import { locker } from './locker.ts';

/** Two orders on each of six days. */
const ORDERS: readonly Order[] = Array.from({ length: 12 }, (_, index) => ({
  name: `#${index + 1}`,
  at: `2026-10-0${1 + (index % 6)} 09:00:00 -0700`,
  price: `${100 + 4 * index}.00`,
  tax: (10.75 + 0.43 * index).toFixed(2),
}));
const IDS = ORDERS.map(({ name }) => name.slice(1)).sort();

const whole = sharedFolder();
let undisturbed: Awaited<ReturnType<Month['files']>>;
beforeAll(async () => {
  const shop = await month({ orders: ORDERS }, whole);
  await shop.close();
  undisturbed = await shop.files();
});

/** A shop with its records on a server, which has the queue, too. */
const shopOn = async (newUrl: () => Promise<string>) => {
  const ledger = await newUrl();
  return { ...(await month({ orders: ORDERS, settings: { databases: { ledger } } })), ledger };
};
type Shop = Awaited<ReturnType<typeof shopOn>>;

/** What a close said that lost its server, which must be that of an outage; it has published nothing. */
const saidBy = async (close: Promise<unknown>, shop: Shop): Promise<string> => {
  const error = await close.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'E_DATABASE_UNREACHABLE' });
  expect(exitCodeOf(error)).toBe(69);
  expect((await shop.files()).size).toBe(0);
  return String(error);
};

const closesAsIfNothingHappened = async ({ close, files, ledger }: Shop): Promise<void> => {
  expect(await close()).toMatchObject({ readiness: { ready: true } });
  expect(await files()).toEqual(undisturbed);
  expect(await idsIn(ledger)).toEqual(IDS);
};

const isThorough = process.env['ALL_OUTAGES'] === '1';

onPostgres(({ newUrl }) => {
  test('a close whose connections are ended while it records says so, and the next one is whole', async () => {
    const shop = await shopOn(newUrl);
    const other = await locker(shop.ledger, 'transactions');
    const close = closeBeside(shop, 'recompute', async () => {
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
      'kept other runs away: terminating',
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

/** A server that can be stopped takes seconds to make: `npm run test:outages` does. */
onPostgres(() => {
  describe.runIf(isThorough)('a server that is stopped at once', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres({ keepsCommits: true });
    });
    afterAll(() => server.stop());
    const newUrl = async (): Promise<string> => (await newDatabase(server.url)).url;

    test('while a close records: it is said while it is away, and the next close is whole', async () => {
      const shop = await shopOn(newUrl);
      const other = await locker(shop.ledger, 'transactions');
      const halting = async () => {
        await other.lock();
        await other.waitedFor();
        await server.halt();
      };
      await saidBy(closeBeside(shop, 'recompute', halting), shop);
      await saidBy(shop.closeWith(), shop);
      await server.resume();
      await closesAsIfNothingHappened(shop);
    });

    test('under a service: it says 503 until the server is back, and goes on by itself', async () => {
      const books = await newUrl();
      const served = await serve(books);
      expect(await served.record('1')).toBe(201);
      await server.halt();
      expect(await served.record('2')).toBe(503);
      await server.resume();
      expect(await served.record('2')).toBe(201);
      expect(await idsIn(books)).toEqual(['1', '2']);
      await served.stop();
    });
  });
});

const END_LOCK = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and classid = ${0x5449454f} and database = (
    select oid from pg_database where datname = current_database())`;

/** The real service with its metrics, in this process, and one account. */
const serve = async (ledger: string) => {
  const key = await addSeller(ledger, ['CA']);
  const { url, metricsUrl = '', stop } = await serveHere(ledger);
  onTestFinished(() => stop().catch(() => {}));
  const call = async (path: string, body: object): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const reply = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
    await reply.arrayBuffer();
    return reply.status;
  };
  const sale = {
    from_country: 'US',
    from_zip: '95814',
    from_state: 'CA',
    to_country: 'US',
    to_zip: '94607',
    to_state: 'CA',
    amount: 100,
    shipping: 0,
  };
  return {
    calculate: () => call('taxes', sale),
    record: (id: string) =>
      call('transactions/orders', {
        ...sale,
        transaction_id: id,
        transaction_date: '2026-10-05',
        sales_tax: 10.75,
      }),
    metrics: () => fetch(metricsUrl),
    stop,
  };
};
