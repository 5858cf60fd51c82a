import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { ORDER, SANTA_MONICA } from '../contract/samples.ts';
import { send } from '../contract/send.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { ended, serving } from './serving.ts';

const SALE = {
  to_country: 'US',
  to_zip: '90404',
  to_state: 'CA',
  to_city: 'Santa Monica',
  to_street: '1685 Main Street',
  customer_id: 'jane-roe-77',
  shipping: 0,
  amount: 98765.09,
};

/** An account with a key in a ledger of its own. */
const newLedger = async () => {
  const address = `sqlite:${join(await temporaryFolder(), 'ledger.db')}`;
  const database = await connect(address);
  const ledger = await openLedger(database);
  const { id } = await ledger.accounts.ensure({ name: 'shop', ...SANTA_MONICA });
  const { secret } = await ledger.keys.create(id);
  await database.close();
  return { address, id, key: secret };
};

const asking =
  (url: string, key: string) =>
  (method: string, path: string, body?: object | string): Promise<{ status: number; request: string }> =>
    send(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    }).then(({ status, headers }) => ({ status, request: String(headers['x-request-id']) }));

describe('a running service', () => {
  test('logs every request under its id, and neither keys nor bodies nor addresses nor ids of records', async () => {
    const { address, key } = await newLedger();
    const { url, child, log } = await serving(['--ledger', address, '--log-level', 'debug']);
    const ask = asking(url, key);
    const answers = [
      await ask('POST', 'taxes', SALE),
      await ask('POST', 'transactions/orders', { ...ORDER, transaction_id: 'secret-order-9' }),
      await ask('POST', 'transactions/orders', { ...ORDER, transaction_id: 'secret-order-9' }),
      await ask('GET', 'transactions/orders/secret-order-9?provider=api'),
      await ask('GET', 'rates/90404?street=1685%20Main%20Street&city=Santa%20Monica'),
      await ask('POST', 'customers', {
        customer_id: 'jane-roe-77',
        exemption_type: 'other',
        name: 'Jane Roe',
      }),
      await ask('GET', 'customers/jane-roe-77'),
      await ask('POST', 'taxes', '{"to_street": "1685 Main Street"'),
      await ask('POST', 'taxes', { ...SALE, to_zip: '1685 Main Street' }),
      await asking(url, `${key}x`)('GET', 'categories'),
      await ask('GET', 'no/such/1685-Main-Street'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      200, 201, 422, 200, 200, 201, 200, 406, 406, 401, 404,
    ]);
    expect(await ended(child)).toBe(0);
    const lines = log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { request?: string; status?: number; operation?: string });
    const logged = lines.filter(({ request }) => request !== undefined);
    expect(logged.map(({ request, status }) => ({ request, status }))).toEqual(
      answers.map(({ request, status }) => ({ request, status })),
    );
    expect(logged.map(({ operation }) => operation)).toContain('showRates');
    for (const private_ of [
      key,
      key.slice(0, 8),
      'Main',
      'Santa Monica',
      'jane',
      'Jane',
      'secret-order',
      '98765',
    ]) {
      expect(log()).not.toContain(private_);
    }
  });

  test('counts what it does for Prometheus, apart from the interface and without naming anybody', async () => {
    const { address, id, key } = await newLedger();
    const { url, metrics = '', child } = await serving(['--ledger', address, '--metrics-port', '0']);
    const ask = asking(url, key);
    await ask('POST', 'taxes', SALE);
    await ask('POST', 'taxes', {});
    await ask('GET', 'rates/90404');
    await ask('POST', 'transactions/orders', ORDER);
    await ask('GET', 'transactions/orders/order-1');
    await asking(url, 'wrong')('GET', 'categories');
    const { text } = await send(metrics);
    const lines = text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'tieout_http_requests_total{operation="calculateTax",status="200"} 1',
        'tieout_http_requests_total{operation="calculateTax",status="406"} 1',
        'tieout_http_requests_total{operation="createOrder",status="201"} 1',
        'tieout_http_requests_total{operation="listCategories",status="401"} 1',
        'tieout_http_request_duration_seconds_count{operation="calculateTax"} 2',
        'tieout_http_requests_in_flight 0',
        'tieout_calculations_total 2',
      ]),
    );
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    const labels = new Set([...text.matchAll(/[{,](\w+)=/g)].map(([, label]) => label));
    for (const label of ['account', 'key', 'id', 'path', 'url']) expect(labels).not.toContain(label);
    expect(text).not.toContain('order-1');
    expect(text).not.toContain(key.slice(0, 6));
    expect(id).toBeGreaterThan(0);
    expect((await send(new URL('/metrics', url).toString())).status).toBe(404);
    expect((await send(new URL('/v2/categories', metrics).toString())).status).toBe(404);
    expect(await ended(child)).toBe(0);
  });

  test('that is asked to end answers what is in flight, and takes nothing new', async () => {
    const { address, id, key } = await newLedger();
    const { url, metrics = '', child } = await serving(['--ledger', address, '--metrics-port', '0']);
    const ask = asking(url, key);

    const database = await connect(address);
    const creates = await database
      .tables<{ accounts: { id: number } }>()
      .transaction()
      .execute(async (transaction) => {
        // While the books are held here no create can be answered, so all of them are in flight.
        await transaction.selectFrom('accounts').select('id').execute();
        const sent = Array.from({ length: 20 }, (_, index) =>
          ask('POST', 'transactions/orders', { ...ORDER, transaction_id: `late-${index}` }),
        );
        await expect
          .poll(async () => (await send(metrics)).text, { timeout: 10_000 })
          .toContain('tieout_http_requests_in_flight 20');
        child.kill('SIGTERM');
        await expect
          .poll(
            () =>
              send(new URL('/healthz', url).toString()).then(
                () => 'answered',
                () => 'refused',
              ),
            { timeout: 10_000 },
          )
          .toBe('refused');
        return sent;
      });
    expect((await Promise.all(creates)).map(({ status }) => status)).toEqual(Array(20).fill(201));
    await expect.poll(() => child.exitCode, { timeout: 10_000 }).toBe(0);

    const { transactions } = await openLedger(database);
    expect(await transactions.listIds({ account_id: id, kind: 'order', provider: 'api' })).toHaveLength(20);
    await database.close();
  });
});
