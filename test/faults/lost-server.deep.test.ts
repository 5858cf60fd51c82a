import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exitCodeOf } from '../../src/kernel/exit-code.ts';
import { onPostgres } from '../support/databases.ts';
import { endConnections } from '../support/end-connections.ts';
import { type Month, month } from '../support/month.ts';
import { newDatabase, runOnServer } from '../support/new-database.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { addSeller, serveHere } from '../support/serving.ts';
import type { Order } from '../support/shop-exports.ts';
import { sharedFolder, temporaryFolder } from '../support/tieout.ts';
import { closeIn, startWorker } from '../support/workers-here.ts';
import { closeBeside } from './close-beside.ts';
import { idsIn } from './ids-in.ts';
import { locker } from './locker.ts';

/** Two orders on each of six days, so that several threads have something to do. */
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

/** Where the two databases of a shop are: a new one on a server, or a file in its folder. */
const shopOn = async (newUrl: () => Promise<string>, onServer: readonly ('ledger' | 'workspace')[]) => {
  const folder = await temporaryFolder();
  const urlOf = async (name: 'ledger' | 'workspace') =>
    onServer.includes(name) ? newUrl() : `sqlite:${join(folder, `${name}.db`)}`;
  const [ledger, workspace] = [await urlOf('ledger'), await urlOf('workspace')];
  const shop = await month({ orders: ORDERS, settings: { databases: { ledger, workspace } } }, folder);
  return { ...shop, ledger, workspace };
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
  if (!ledger.startsWith('sqlite:')) expect(await idsIn(ledger)).toEqual(IDS);
};

type Place = {
  readonly stage: string;
  readonly table: string;
  /** What is on the server; the connections to the first of them are ended. */
  readonly on: readonly ['ledger' | 'workspace', ...('ledger' | 'workspace')[]];
  readonly threads: number;
};
const TABLES = [
  ['extract', 'sale', 'workspace'],
  ['recompute', 'page', 'workspace'],
  ['submit', 'page', 'workspace'],
  ['submit', 'transactions', 'ledger'],
  ['read back', 'page', 'workspace'],
  ['read back', 'transactions', 'ledger'],
  ['reconcile', 'page', 'workspace'],
  ['report', 'closing', 'workspace'],
] as const;
const ALL: readonly Place[] = TABLES.flatMap(
  ([stage, table, first]) =>
    [1, 3].flatMap((threads): Place[] => [
      { stage, table, on: [first], threads },
      { stage, table, on: [first, first === 'ledger' ? 'workspace' : 'ledger'], threads },
    ]),
  // With a workspace in a file, a few records are read back before anybody can lock them.
).filter(({ stage, on }) => stage !== 'read back' || on[0] === 'workspace' || on.length > 1);
const FEW: readonly Place[] = [
  { stage: 'submit', table: 'transactions', on: ['ledger'], threads: 1 },
  { stage: 'recompute', table: 'page', on: ['workspace', 'ledger'], threads: 3 },
];
const isThorough = process.env['ALL_OUTAGES'] === '1';

onPostgres(({ newUrl }) => {
  /** `npm run test:outages` has all places. */
  test.for(isThorough ? ALL : FEW)(
    'a close in $threads threads whose connections to the $on.0 are ended while $stage uses $table says so: on the server $on',
    async ({ stage, table, on, threads }) => {
      const shop = await shopOn(newUrl, on);
      const url = shop[on[0]];
      const other = await locker(url, table);
      const close = closeBeside(
        shop,
        stage,
        async () => {
          await other.lock();
          await other.waitedFor();
          await endConnections(url);
          await other.release();
        },
        { others: threads - 1 },
      );
      expect(await saidBy(close, shop)).toContain('terminating connection due to administrator command');
      await closesAsIfNothingHappened(shop);
    },
  );

  test('a close whose workers go on ends when it has lost the run lock, and workers and the next close go on', async () => {
    const shop = await shopOn(newUrl, ['ledger', 'workspace']);
    let batches = 0;
    const worker = await startWorker(shop.folder, {
      onBatch: () => {
        batches += 1;
        if (batches === 2) ended = runOnServer(shop.workspace, END_LOCK);
      },
    });
    let ended: Promise<void> | undefined;
    expect(await saidBy(closeIn(shop.folder, { itemsPerBatch: 2 }), shop)).toContain(
      'kept other runs away: terminating',
    );
    await ended;
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

    const name = new URL(books).pathname.slice(1);
    await runOnServer(new URL('/postgres', books).toString(), `drop database ${name} with (force)`);
    expect(await served.record('3')).toBeGreaterThanOrEqual(500);
    // What it has counted since it was last written cannot be written any more.
    expect(await served.calculate()).toBe(200);
    await expect(served.stop()).rejects.toMatchObject({ code: 'E_DATABASE_ACCESS' });
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

    test.for(
      TABLES.flatMap(([stage, table, first]) => [0, 2].map((others) => ({ stage, table, first, others }))),
    )(
      'in the middle of $stage ($table) with $others more threads: it is said while it is away, and the next close is whole',
      async ({ stage, table, first, others }) => {
        const shop = await shopOn(newUrl, ['ledger', 'workspace']);
        const other = await locker(shop[first], table);
        const halting = async () => {
          await other.lock();
          await other.waitedFor();
          await server.halt();
        };
        await saidBy(closeBeside(shop, stage, halting, { others }), shop);
        await saidBy(shop.closeWith(), shop);
        await server.resume();
        await closesAsIfNothingHappened(shop);
      },
    );

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
