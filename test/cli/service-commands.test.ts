import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';
import { ended, serving } from './serving.ts';

const ask = (url: string, key: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const ORDER = {
  from_country: 'US',
  from_state: 'CA',
  from_zip: '95814',
  to_country: 'US',
  to_state: 'CA',
  to_zip: '94607',
  to_city: 'Oakland',
  shipping: 0,
  line_items: [{ id: '1', quantity: 1, unit_price: 120 }],
} as const;

describe('the served tax service from the command line', () => {
  test('an account is added, its key opens the service, and a revoked key does not open it', async () => {
    const folder = await temporaryFolder();
    const ledger = ['--ledger', `sqlite:${join(folder, 'ledger.db')}`];
    const nexus = ['--nexus', '[{"country":"US","state":"CA"}]'];
    const added = await tieout(['account', 'add', 'shop', ...ledger, ...nexus, '--json']);
    expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: '' });
    const { account, key } = JSON.parse(added.stdout) as { account: { name: string }; key: string };
    expect(account.name).toBe('shop');

    const { url, child } = await serving(ledger);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/$/);
    const answer = await ask(`${url}taxes`, key, ORDER);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ tax: { has_nexus: true, amount_to_collect: 12.9 } });
    expect((await ask(`${url}taxes`, key, ORDER)).status).toBe(200);
    expect((await ask(`${url}taxes`, 'wrong', ORDER)).status).toBe(401);

    expect(await ended(child)).toBe(0);

    const keys = JSON.parse(
      (await tieout(['account', 'key', 'list', 'shop', ...ledger, '--json'])).stdout,
    ) as { keys: { id: number }[] };
    expect(
      (await tieout(['account', 'key', 'revoke', 'shop', String(keys.keys[0]?.id), ...ledger])).code,
    ).toBe(0);
    expect((await tieout(['account', 'key', 'revoke', 'shop', '7f3a', ...ledger])).stderr).toMatch(
      /^E_KEY_UNKNOWN/,
    );
    const again = await serving(ledger);
    expect((await ask(`${again.url}taxes`, key, ORDER)).status).toBe(401);
  });

  test.for([
    [['serve', '--host', '0.0.0.0', '--port', '0'], 'E_SERVE_PLAINTEXT'],
    [['serve', '--certificate', '/no/such/file'], 'E_SERVE_TLS'],
    [['account', 'key', 'list', 'no one'], 'E_ACCOUNT_UNKNOWN'],
    [['account', 'add', 'shop', '--nexus', '{"state":"CA"}'], 'E_ACCOUNT_SETTING'],
    [['account', 'add', 'shop', '--address', 'not json'], 'E_ACCOUNT_SETTING'],
    [['serve', '--log-level', 'chatty'], 'E_USAGE'],
    [['content', 'import', 'rates.csv'], 'E_CONTENT_USAGE'],
    [['content', 'status', '--on', 'yesterday'], 'E_CONTENT_USAGE'],
  ] as const)('%s is refused as %s', async ([args, code]) => {
    const folder = await temporaryFolder();
    const ran = await tieout([...args], { cwd: folder });
    expect([ran.code, ran.stderr.split(':')[0]]).toEqual([2, code]);
  });

  test.for([
    ['{"country":"US"}', '[0].state: is missing: nexus in US is by state or province'],
    ['{"country":"US","state":"Califrnia"}', '[0].state: "CALIFRNIA" is not in United States'],
    [
      '{"country":"US","state":"CA","from":"2026-10-15","to":"2026-10-14"}',
      '[0].to: 2026-10-14 is before from, 2026-10-15',
    ],
  ] as const)('a place that establishes no nexus is refused: %s', async ([place, problem]) => {
    const ledger = ['--ledger', `sqlite:${join(await temporaryFolder(), 'ledger.db')}`];
    const add = (nexus: string) => tieout(['account', 'add', 'shop', ...ledger, '--nexus', nexus]);
    const refused = await add(`[${place}]`);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(problem);
    const known = '[{"country":"US","state":"California"},{"country":"PR"},{"country":"DE"}]';
    expect((await add(known)).code).toBe(0);
  });

  test('adding an account that is there changes only what is said of it, and makes no key', async () => {
    const folder = await temporaryFolder();
    const ledger = ['--ledger', `sqlite:${join(folder, 'ledger.db')}`, '--json'];
    const nexus = [{ country: 'US', state: 'CA' }];
    await tieout(['account', 'add', 'shop', ...ledger, '--nexus', JSON.stringify(nexus)]);
    const changed = await tieout(['account', 'add', 'shop', ...ledger, '--buyer-use', 'business']);
    expect(JSON.parse(changed.stdout)).toMatchObject({
      account: { nexus, buyerUse: 'business' },
      key: null,
    });
    const keys = JSON.parse((await tieout(['account', 'key', 'list', 'shop', ...ledger])).stdout) as {
      keys: object[];
    };
    expect(keys.keys).toHaveLength(1);
  });

  test('a close with the embedded service leaves of the account of its name what no configuration states', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const ledger = ['--ledger', `sqlite:${join(shop.folder, '.tieout', 'ledger.db')}`, '--json'];
    const nexus = '[{"country":"US","state":"NY"},{"country":"CA","state":"ON"}]';
    const settings = ['--buyer-use', 'business'];
    await tieout(['account', 'add', 'shop', ...ledger, '--nexus', nexus, ...settings]);
    await shop.close();
    const { accounts } = JSON.parse((await tieout(['account', 'list', ...ledger])).stdout) as {
      accounts: object[];
    };
    expect(accounts).toEqual([
      {
        id: 1,
        name: 'shop',
        address: expect.objectContaining({ state: 'CA', zip: '95814' }),
        nexus: [
          { country: 'US', state: 'CA', from: '2019-01-01' },
          { country: 'CA', state: 'ON' },
        ],
      },
    ]);
  });

  test('content status says per state what is covered', async () => {
    const ran = await tieout(['content', 'status', '--json']);
    const status = JSON.parse(ran.stdout) as { states: { state: string; coverage: string }[] };
    expect(status.states.length).toBeGreaterThanOrEqual(51);
    expect(status.states.find(({ state }) => state === 'CA')?.coverage).toBe('complete');
  });
});
