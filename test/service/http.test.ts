import { describe, expect, it } from 'vitest';
import { ORDER, REFUND, SANTA_MONICA } from '../contract/samples.ts';
import { sqliteFiles } from '../support/databases.ts';
import { type Asked, serverForSuite } from './server-suite.ts';

const files = sqliteFiles();

describe('over HTTP', () => {
  const suite = serverForSuite(files);

  it('the base address ends with the version segment', () => {
    expect(suite.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/$/);
  });

  it('recorded transactions are written as the live service writes them', async () => {
    const { id, secret } = await suite.newAccount(SANTA_MONICA);
    // What an order says of another transaction is not looked at.
    const body = { ...ORDER, transaction_reference_id: 1 };
    const created = await suite.ask('transactions/orders', { method: 'POST', key: secret, body });
    expect(created.status).toBe(201);
    expect(created.json).toEqual({
      order: {
        ...ORDER,
        user_id: id,
        transaction_date: '2026-10-15T18:30:00.000Z',
        transaction_reference_id: null,
        provider: 'api',
        exemption_type: null,
        customer_id: null,
        to_city: 'LOS ANGELES',
        amount: '110.0',
        shipping: '10.0',
        sales_tax: '9.76',
        line_items: [
          {
            ...ORDER.line_items?.[0],
            unit_price: '52.5',
            discount: '5.0',
            sales_tax: '9.76',
          },
        ],
      },
    });
    const shown = await suite.ask('transactions/orders/order-1', { key: secret });
    expect(shown.text).toBe(created.text);
    const refund = await suite.ask('transactions/refunds', { method: 'POST', key: secret, body: REFUND });
    expect(refund.json).toMatchObject({ refund: { amount: '-110.0', line_items: [{ discount: '5.0' }] } });
    expect((await suite.ask('transactions/orders', { key: secret })).json).toEqual({ orders: ['order-1'] });
  });

  describe('a delete', () => {
    const deletions: [string, Asked][] = [
      ['without a body', {}],
      ['that declares a JSON body and has none', { headers: { 'content-type': 'application/json' } }],
      ['that names the provider in its body', { body: { provider: 'woo' } }],
    ];
    it.each(deletions)('%s answers identifiers and nothing else', async (_, asked) => {
      const { id, secret } = await suite.newAccount(SANTA_MONICA);
      const provider = asked.body ? 'woo' : 'api';
      await suite.ask('transactions/orders', { method: 'POST', key: secret, body: { ...ORDER, provider } });
      const { status, json } = await suite.ask('transactions/orders/order-1', {
        method: 'DELETE',
        key: secret,
        ...asked,
      });
      expect(status).toBe(200);
      const {
        transaction_id,
        user_id,
        provider: from,
        line_items,
        ...rest
      } = json['order'] as Record<string, unknown>;
      expect({ transaction_id, user_id, from, line_items }).toEqual({
        transaction_id: 'order-1',
        user_id: id,
        from: provider,
        line_items: [],
      });
      expect(Object.keys(rest)).toHaveLength(17);
      expect(Object.values(rest).every((value) => value === null)).toBe(true);
    });
  });

  describe('the version in force', () => {
    it.each<[string | undefined, string, string]>([
      [undefined, '2020-08-07', 'the one of every account'],
      ['2012-01-01', '2012-01-01', 'the one that is named'],
      ['2022-01-24', '2022-01-24', 'the one that is named'],
      ['2019-01-01', '2020-08-07', 'an unknown one is ignored'],
    ])('%s is %s: %s', async (named, inForce) => {
      const { secret: key } = await suite.newAccount(SANTA_MONICA);
      const answer = await suite.ask('transactions/orders', {
        key,
        ...(named && { headers: { 'x-api-version': named } }),
      });
      expect(answer.headers['x-api-version']).toBe(inForce);
      const { headers } = await suite.ask('categories', { key });
      expect(headers).not.toHaveProperty('x-api-version');
    });
  });

  describe('what is not a request of the interface is refused in its form', () => {
    const rows: readonly (readonly [string, Asked, number, string])[] = [
      ['nowhere', {}, 404, 'no such path'],
      ['transactions/orders/a/b', {}, 404, 'a path that goes too far'],
      ['transactions/orders/%zz', {}, 404, 'a path that cannot be decoded'],
      ['transactions/orders/%00', {}, 404, 'an id that cannot be one'],
      [`transactions/orders/${'x'.repeat(2_000)}`, {}, 404, 'an id of any length'],
      ['/v2/../../etc/passwd', {}, 404, 'a path that climbs'],
      ['taxes', {}, 405, 'taxes are posted'],
      ['categories', { method: 'DELETE' }, 405, 'categories are read'],
      ['transactions/orders/1', { method: 'PATCH' }, 405, 'orders are put, not patched'],
      ['taxes', { method: 'POST' }, 406, 'no body'],
      ['taxes', { method: 'POST', text: '{"to_country":' }, 406, 'half a body'],
      [
        'taxes',
        { method: 'POST', text: '[]', headers: { 'content-type': 'application/json' } },
        406,
        'a list',
      ],
      ['taxes', { method: 'POST', text: '"x"' }, 406, 'a text'],
      ['taxes', { method: 'POST', text: 'null' }, 406, 'null'],
      ['taxes', { method: 'POST', text: Buffer.from([0xff, 0xfe, 0x7b]) }, 406, 'no UTF-8'],
      [
        'taxes',
        {
          method: 'POST',
          text: 'to_country=US',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
        415,
        'a form',
      ],
      [
        'taxes',
        { method: 'POST', text: '{}', headers: { 'content-type': 'text/html' } },
        415,
        'another type',
      ],
      ['taxes', { method: 'POST', text: `"${'x'.repeat(9_000_000)}"` }, 413, 'too large a body'],
      ['transactions/orders?provider=a&provider=b', {}, 406, 'two providers'],
    ];
    it.each(rows.map((row) => [row[3], row] as const))('%s', async (_, [path, asked, status]) => {
      const { secret: key } = await suite.newAccount(SANTA_MONICA);
      const answer = await suite.ask(path, { key, ...asked });
      expect(answer.status).toBe(status);
      expect(answer.json).toEqual({ status, error: expect.any(String), detail: expect.anything() });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.text).not.toMatch(/node_modules|\.ts:/);
    });

    it('and a 405 says what is allowed', async () => {
      const { secret: key } = await suite.newAccount(SANTA_MONICA);
      const { headers } = await suite.ask('transactions/orders/1', { method: 'POST', key });
      expect(headers['allow']).toBe('GET, PUT, DELETE');
    });
  });

  it('health and readiness need no key', async () => {
    expect((await suite.ask('/healthz')).json).toEqual({ status: 'ok' });
    expect((await suite.ask('/readyz')).json).toEqual({ status: 'ready' });
  });
});
