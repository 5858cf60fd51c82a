import { describe, expect, it } from 'vitest';
import { ORDER, REFUND, SANTA_MONICA } from '../../contract/samples.ts';
import { sqliteFiles } from '../../support/databases.ts';
import { type Asked, serverForSuite } from './server-suite.ts';

const SALE = { to_country: 'US', to_zip: '90404', to_state: 'CA', shipping: 0, amount: 100 };
const files = sqliteFiles();

describe('over HTTP', () => {
  const suite = serverForSuite(files);

  it('the base address ends with the version segment', () => {
    expect(suite.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/$/);
  });

  describe('a key is accepted', () => {
    it.each([
      [(key: string) => `Bearer ${key}`],
      [(key: string) => `Token token="${key}"`],
      [(key: string) => `bearer ${key}`],
      [(key: string) => `Token token=${key}`],
    ])('as %s', async (header) => {
      const { secret } = await suite.newAccount(SANTA_MONICA);
      const { status, json } = await suite.ask('categories', { headers: { authorization: header(secret) } });
      expect(status).toBe(200);
      expect(Object.keys(json)).toEqual(['categories']);
    });
  });

  describe('without a good key nothing is answered', () => {
    it.each<[Record<string, string>, string]>([
      [{}, 'no header'],
      [{ authorization: 'Bearer' }, 'no key'],
      [{ authorization: 'Bearer nonsense' }, 'an unknown key'],
      [{ authorization: 'Basic dXNlcjpwYXNz' }, 'another scheme'],
      [{ authorization: `Bearer ${'x'.repeat(4_000)}` }, 'a very long key'],
    ])('%j: %s', async (headers) => {
      const answer = await suite.ask('categories?page=1', { headers });
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({
        status: 401,
        error: 'Unauthorized',
        detail: "Not authorized for route 'GET /v2/categories'",
      });
    });

    it('not even whether a body is well formed', async () => {
      const answer = await suite.ask('taxes', {
        method: 'POST',
        text: '{',
        headers: { 'content-type': 'text/x' },
      });
      expect(answer.status).toBe(401);
    });

    it('a revoked key is no key', async () => {
      const { id, secret, keyId } = await suite.newAccount(SANTA_MONICA);
      expect((await suite.ask('categories', { key: secret })).status).toBe(200);
      await suite.ledger().keys.revoke(id, keyId);
      expect((await suite.ask('categories', { key: secret })).status).toBe(401);
    });
  });

  it('calculations are JSON numbers', async () => {
    const { secret } = await suite.newAccount(SANTA_MONICA);
    const body = { ...SALE, line_items: [{ id: 1, quantity: 2, unit_price: '50.00' }] };
    const { status, json, headers } = await suite.ask('taxes', { method: 'POST', key: secret, body });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      tax: { order_total_amount: 100, shipping: 0, taxable_amount: 100, has_nexus: true },
    });
    const { rate, amount_to_collect } = json['tax'] as { rate: number; amount_to_collect: number };
    expect(rate).toBeGreaterThan(0.07);
    expect(rate).toBeLessThan(0.2);
    expect(amount_to_collect).toBeCloseTo(rate * 100, 2);
    expect(headers).not.toHaveProperty('x-api-version');
  });

  it('recorded transactions are written as the live service writes them', async () => {
    const { id, secret } = await suite.newAccount(SANTA_MONICA);
    const created = await suite.ask('transactions/orders', { method: 'POST', key: secret, body: ORDER });
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

  describe('refunds', () => {
    it('can be changed and deleted', async () => {
      const { secret: key } = await suite.newAccount(SANTA_MONICA);
      await suite.ask('transactions/refunds', { method: 'POST', key, body: REFUND });
      const path = 'transactions/refunds/refund-1';
      const changed = await suite.ask(path, { method: 'PUT', key, body: { sales_tax: 1 } });
      expect(changed.json).toMatchObject({ refund: { sales_tax: '-1.0' } });
      expect((await suite.ask(path, { method: 'DELETE', key })).json).toMatchObject({
        refund: { transaction_id: 'refund-1', amount: null },
      });
      expect((await suite.ask(path, { key })).status).toBe(404);
    });
  });

  it('customers are kept on file, and their exemptions reach calculations', async () => {
    const { secret: key } = await suite.newAccount(SANTA_MONICA);
    const customer = {
      customer_id: 'city-hall',
      exemption_type: 'government',
      name: 'City Hall',
      exempt_regions: [{ country: 'US', state: 'NY' }],
    };
    const onFile = { ...customer, country: null, state: null, zip: null, city: null, street: null };
    const taxOf = async () => {
      const sale = { ...SALE, customer_id: 'city-hall' };
      const { json } = await suite.ask('taxes', { method: 'POST', key, body: sale });
      return (json['tax'] as { amount_to_collect: number }).amount_to_collect;
    };
    const created = await suite.ask('customers', { method: 'POST', key, body: customer });
    expect([created.status, created.json]).toEqual([201, { customer: onFile }]);
    expect((await suite.ask('customers', { method: 'POST', key, body: customer })).json).toEqual({
      status: 422,
      error: 'Unprocessable Entity',
      detail: 'customer city-hall is already on file',
    });
    expect(await taxOf()).toBeGreaterThan(0);

    const path = 'customers/city-hall';
    const regions = { exempt_regions: [{ country: 'us', state: 'ca' }], zip: '90404' };
    const changed = await suite.ask(path, { method: 'PUT', key, body: regions });
    const after = { ...onFile, exempt_regions: [{ country: 'US', state: 'CA' }], zip: '90404' };
    expect(changed.json).toEqual({ customer: after });
    expect(await taxOf()).toBe(0);
    expect((await suite.ask(path, { key })).json).toEqual({ customer: after });
    expect((await suite.ask('customers', { key })).json).toEqual({ customers: ['city-hall'] });

    const { secret: stranger } = await suite.newAccount(SANTA_MONICA);
    expect((await suite.ask('customers', { key: stranger })).json).toEqual({ customers: [] });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const asked = { method, key: stranger, ...(method === 'PUT' && { body: { name: 'x' } }) };
      expect((await suite.ask(path, asked)).status).toBe(404);
    }
    expect((await suite.ask(path, { method: 'DELETE', key })).json).toEqual({ customer: after });
    expect((await suite.ask(path, { key })).status).toBe(404);
    expect(await taxOf()).toBeGreaterThan(0);
  });

  it.each<[object, string | string[], string]>([
    [{}, ['customer_id is missing', 'exemption_type is missing', 'name is missing'], 'nothing is there'],
    [
      { customer_id: 'c', name: 'n', exemption_type: 'marketplace' },
      'exemption_type is invalid',
      'not one of a customer',
    ],
    [
      { customer_id: 'c', name: 'n', exemption_type: 'other', exempt_regions: [{ country: 'US' }] },
      'exempt_regions[0].state is missing',
      'a region has a state',
    ],
  ])('a customer like %j is refused: %j, %s', async (body, detail) => {
    const { secret: key } = await suite.newAccount(SANTA_MONICA);
    const { json } = await suite.ask('customers', { method: 'POST', key, body });
    expect(json).toMatchObject({ status: 406, detail });
  });

  describe('the version in force', () => {
    it.each<[string | undefined, string, string]>([
      [undefined, '2020-08-07', 'the account’s'],
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
    });
  });

  describe('what is no request of the interface is refused in its form', () => {
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

  it('one account cannot reach anything of another', async () => {
    const theirs = await suite.newAccount(SANTA_MONICA);
    const mine = await suite.newAccount({});
    for (const [kind, body] of [
      ['orders', ORDER],
      ['refunds', REFUND],
    ] as const) {
      await suite.ask(`transactions/${kind}`, { method: 'POST', key: theirs.secret, body });
      const path = `transactions/${kind}/${body.transaction_id}`;
      for (const [method, sent] of [['GET'], ['PUT', { sales_tax: 0 }], ['DELETE']] as const) {
        const asked = { method, key: mine.secret, ...(sent && { body: sent }) };
        expect((await suite.ask(path, asked)).status).toBe(404);
      }
      expect((await suite.ask(`transactions/${kind}`, { key: mine.secret })).json).toEqual({ [kind]: [] });
      expect((await suite.ask(path, { key: theirs.secret })).status).toBe(200);
    }
    expect((await suite.ask('nexus/regions', { key: mine.secret })).json).toEqual({ regions: [] });
    await suite.ask('taxes', { method: 'POST', key: theirs.secret, body: SALE });
    expect(await suite.ledger().usage.of(mine.id, '2026-11')).toBe(0);
    expect(await suite.ledger().usage.of(theirs.id, '2026-11')).toBe(1);
  });

  it('health and readiness need no key', async () => {
    expect((await suite.ask('/healthz')).json).toEqual({ status: 'ok' });
    expect((await suite.ask('/readyz')).json).toEqual({ status: 'ready' });
  });

  it('the document of the interface needs no key', async () => {
    const { json } = await suite.ask('/openapi.json');
    expect(json).toMatchObject({ openapi: '3.1.0' });
  });

  it('a forced error is forced on a sandbox only', async () => {
    const { secret: key } = await suite.newAccount(SANTA_MONICA);
    const headers = { 'x-tj-expected-response': '503' };
    expect((await suite.ask('categories', { key, headers })).status).toBe(200);
  });
});

describe('a sandbox', () => {
  const suite = serverForSuite(files, { sandbox: true });

  it.each([
    ['429', 429],
    ['500', 500],
    ['404', 404],
    ['200', 200],
    ['toString', 200],
  ])('answers what the request expects: %s', async (expected, status) => {
    const { secret: key } = await suite.newAccount(SANTA_MONICA);
    const headers = { 'x-tj-expected-response': expected };
    expect((await suite.ask('categories', { key, headers })).status).toBe(status);
  });
});

describe('a server with a rate limit', () => {
  const suite = serverForSuite(files, { requestsPerMinuteMax: 3 });

  it('refuses what is beyond it, says when to come back, and keeps the others out of it', async () => {
    const [busy, quiet] = [await suite.newAccount({}), await suite.newAccount({})];
    suite.clock.advance(20_000);
    const statusOf = async (key: string) => (await suite.ask('categories', { key })).status;
    for (let index = 0; index < 3; index += 1) expect(await statusOf(busy.secret)).toBe(200);
    const refused = await suite.ask('categories', { key: busy.secret });
    expect(refused.json).toEqual({
      status: 429,
      error: 'Too Many Requests',
      detail: 'more than 3 requests in a minute',
    });
    expect(refused.headers['retry-after']).toBe('40');
    expect(await statusOf(quiet.secret)).toBe(200);
    suite.clock.advance(40_000);
    expect(await statusOf(busy.secret)).toBe(200);
  });
});
