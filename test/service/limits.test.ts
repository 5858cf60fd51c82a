import { describe, expect, it } from 'vitest';
import { SANTA_MONICA } from '../contract/samples.ts';
import { sqliteFiles } from '../support/databases.ts';
import { serverForSuite } from './server-suite.ts';

const files = sqliteFiles();

describe('a server that is not a sandbox', () => {
  const suite = serverForSuite(files);

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

describe('usage', () => {
  const suite = serverForSuite(files);
  const sale = { to_country: 'US', to_zip: '90404', to_state: 'CA', shipping: 0, amount: 1 };

  it('counts calculations and look-ups of rates', async () => {
    const { id } = await suite.ledger().accounts.ensure({ name: 'counted', nexus: [] });
    const { secret: key } = await suite.ledger().keys.create(id);
    const asked = [
      await suite.ask('taxes', { method: 'POST', key, body: sale }),
      await suite.ask('rates/90404', { key }),
      await suite.ask('taxes', { method: 'POST', key, body: sale }),
      await suite.ask('rates/90404', { key }),
      await suite.ask('summary_rates', { key }),
      await suite.ask('transactions/orders', { key }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await suite.ledger().usage.of(id, '2026-11')).toBe(4);
  });
});
