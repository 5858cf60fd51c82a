import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { month } from '../support/month.ts';
import { tableRows } from '../support/sheets.ts';
import { tieout } from '../support/tieout.ts';
import { serving } from './serving.ts';

const PROVIDENCE = { city: 'Providence', zip: '02903', state: 'RI' };

const RHODE_ISLAND = {
  timeZone: 'America/New_York',
  registrations: [{ state: 'RI', since: '2019-01-01' }],
};

/** A shop that sells to Providence: two orders that ask the same, and one that does not. */
const rhodeIslandShop = async () => {
  const shop = await month({
    orders: [
      { name: '#1', tax: '7.00', to: PROVIDENCE },
      { name: '#2', tax: '7.00', to: PROVIDENCE },
      { name: '#3', price: '20.00', tax: '1.40', to: PROVIDENCE },
    ],
    settings: RHODE_ISLAND,
  });
  const compare = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    shop.runWith({ env }, 'compare', '2026-10', ...args);
  return { ...shop, compare };
};

/** The default content with another rate of the state, taken from an official file. */
const contentWithRate = async (folder: string, rate: string): Promise<string> => {
  const file = join(folder, 'RIR2026Q2FEB18.csv');
  await writeFile(file, `44,45,44,${rate},${rate},0,0,20081001,29991231\n`);
  const content = join(folder, 'content');
  expect((await tieout(['content', 'import', file, '--content', content])).code).toBe(0);
  return content;
};

const transactionsIn = (path: string): number => {
  const ledger = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(ledger.prepare('select count(*) as count from transactions').get()?.['count']);
  } finally {
    ledger.close();
  }
};

describe('tieout compare', () => {
  test('with itself finds the same answers', async () => {
    const { compare } = await rhodeIslandShop();
    const ran = await compare(['--with', 'embedded']);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('the same result of all 2 calculations for 3 sales\n');
  });

  test('with a new tax content lists each field that differs and what each side says why, within 80 columns', async () => {
    const { folder, compare } = await rhodeIslandShop();
    const content = await contentWithRate(folder, '0.08');
    const ran = await compare(['--with', 'embedded', '--content', content]);
    expect([ran.code, ran.stderr]).toEqual([1, '']);
    const lines = ran.stdout.split('\n');
    expect(lines).toContain('fields: amount_to_collect 3, rate 3, state.rate 3, state.amount 3');
    const at = lines.indexOf('#1 RI 2026-10-10 and 1 like it: +1.00');
    expect(lines.slice(at + 1, at + 5)).toEqual([
      '  amount_to_collect        7.00                      8.00',
      '  rate                     0.07                      0.08',
      '  state.rate               0.07                      0.08',
      '  state.amount             7.00                      8.00',
    ]);
    expect(lines[at + 5]).toMatch(/^ {4}own: {3}state Rhode Island 0\.07 /);
    expect(lines[at + 6]).toMatch(/^ {4}other: state Rhode Island 0\.08 since 2008-10-01 \(sst-ri\)/);
    expect(lines.at(-3)).toBe('3 of 3 sales differ; the other service has +2.20 tax');
    const book = join(folder, 'out', 'shop', '2026-10-compared', 'compare.xlsx');
    expect(lines.at(-2)).toBe(book);
    expect(await tableRows(book, 'Sales')).toMatchObject([
      {
        Record: '#1',
        State: 'RI',
        Sales: 2,
        'Difference of one': 1,
        'Difference of all': 2,
        'Own reasons': expect.stringMatching(/^state Rhode Island 0\.07 /),
        'Other reasons': expect.stringMatching(/^state Rhode Island 0\.08 since 2008-10-01 \(sst-ri\)/),
      },
      { Record: '#3', Sales: 1, 'Difference of one': 0.2, 'Difference of all': 0.2 },
    ]);
    expect((await tableRows(book, 'Fields'))[0]).toEqual({
      Record: '#1',
      Field: 'amount_to_collect',
      'Own service': '7.00',
      'Other service': '8.00',
      Sales: 2,
    });
    const own = lines.slice(0, -2).filter((line) => !/^(extract|compare|report):/.test(line));
    expect(Math.max(...own.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('counts a refund of a part with its part of the difference', async () => {
    const { folder, change, compare } = await rhodeIslandShop();
    await change({
      orders: [{ name: '#1', tax: '7.00', to: PROVIDENCE, status: 'partially_refunded', refunded: '26.75' }],
      refunds: [{ order: '#1', amount: '26.75' }],
      settings: {
        ...RHODE_ISLAND,
        policy: { undividedRefunds: 'prorate' },
      },
    });
    const content = await contentWithRate(folder, '0.08');
    await compare(['--with', 'embedded', '--content', content]);
    const book = join(folder, 'out', 'shop', '2026-10-compared', 'compare.xlsx');
    expect(await tableRows(book, 'Sales')).toMatchObject([
      { Record: '#1', Sales: 2, 'Difference of one': 1, 'Difference of all': 0.75 },
    ]);
  });

  test('with a service that knows no nexus there says so, and nothing is recorded anywhere', async () => {
    const { folder, compare } = await rhodeIslandShop();
    const books = join(folder, 'served.db');
    const added = await tieout(['account', 'add', 'x', '--ledger', `sqlite:${books}`, '--json']);
    const { key } = JSON.parse(added.stdout) as { key: string };
    const { url } = await serving(['--ledger', `sqlite:${books}`]);
    const args = ['--with', url, '--key-variable', 'OTHER_KEY', '--json'];
    const ran = await compare(args, { OTHER_KEY: key });
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      entity: 'shop',
      period: '2026-10',
      sales: 3,
      questions: 2,
      differences: [
        {
          record: '#1',
          sales: 2,
          tax: '-7.00',
          fields: expect.arrayContaining([
            { field: 'has_nexus', own: 'true', other: 'false' },
            { field: 'amount_to_collect', own: '7.00', other: '0.00' },
          ]),
          other_reasons: ['nexus by none'],
        },
        { record: '#3', sales: 1, tax: '-1.40' },
      ],
    });
    expect([transactionsIn(books), transactionsIn(join(folder, '.tieout', 'ledger.db'))]).toEqual([0, 0]);
    const keyless = await compare(args);
    expect([keyless.code, keyless.stderr.split(':')[0]]).toEqual([78, 'E_SERVICE_KEY']);
  });

  test('with a service at another address keeps the key of the own service to itself, and sends nothing over plain HTTP', async () => {
    const { folder, change, compare } = await rhodeIslandShop();
    const books = join(folder, 'served.db');
    const added = await tieout(['account', 'add', 'x', '--ledger', `sqlite:${books}`, '--json']);
    const { key } = JSON.parse(added.stdout) as { key: string };
    const { url } = await serving(['--ledger', `sqlite:${books}`]);
    const keys: (string | undefined)[] = [];
    const vendor = createServer((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(401).end('{"error":"Unauthorized","detail":"","status":401}');
    });
    onTestFinished(() => void vendor.close());
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
    const other = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v2/`;

    await change({ settings: { ...RHODE_ISLAND, service: { url, insecure: true, keyVariable: 'OWN_KEY' } } });
    const keyless = await compare(['--with', other], { OWN_KEY: key });
    expect([keyless.code, keyless.stderr]).toEqual([
      2,
      expect.stringContaining(`E_COMPARE: ${other} is another service than ${url}`),
    ]);
    expect(keys).toEqual([]);
    const named = ['--key-variable', 'OTHER_KEY'];
    const env = { OWN_KEY: key, OTHER_KEY: 'other' };
    expect((await compare(['--with', other, ...named], env)).code).toBe(78);
    expect(new Set(keys)).toEqual(new Set(['Bearer other']));
    const plain = await compare(['--with', 'http://tax.example.com/v2/', ...named], env);
    expect([plain.code, plain.stderr.split(':')[0]]).toEqual([78, 'E_SERVICE_PLAINTEXT']);
    expect((await compare(['--with', url], { OWN_KEY: key })).code).toBe(0);
  });

  test.for([
    [
      ['--with', 'embedded', '--max-calculations', '1'],
      78,
      'E_CALL_BUDGET: comparing the period needs from each service 2 calculations',
    ],
    [['--with', 'taxes.example.com'], 2, 'E_COMPARE: "taxes.example.com" is not a service'],
    [
      ['--with', 'https://tax.example.com/v2/', '--content', 'x'],
      2,
      'E_COMPARE: --content is for the embedded service',
    ],
    [[], 2, 'E_USAGE: required option "--with <service>" not specified'],
  ] as const)('%j ends with %i: %s', async ([args, code, message]) => {
    const { compare } = await rhodeIslandShop();
    const ran = await compare(args);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});
