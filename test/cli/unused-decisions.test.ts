import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('a close names decisions of the configuration that fit nothing, with their place, until one fits', async () => {
  const accept = (record: string) => ({ record, code: 'total-differs', why: 'asked the shop' });
  const shop = await month({
    orders: [
      { name: '#1', total: '1.00' },
      { name: '#12', at: '2026-09-10' },
    ],
    settings: {
      policy: { accept: [accept('#1'), accept('#11'), accept('#12')] },
      overrides: [{ record: '#7', tax: '1.00', why: 'agreed with the customer' }],
    },
  });
  const said = async (...args: readonly string[]) =>
    (await shop.run('close', ...args)).stdout.split('\n').filter((line) => line.includes('fits nothing'));
  const unused = [
    expect.stringMatching(
      /tieout\.yaml:\d+: `policy\.accept` has #11 with code total-differs, which fits nothing/,
    ),
    expect.stringMatching(
      /tieout\.yaml:\d+: `overrides` has #7 with tax 1\.00, which fits nothing: no period closed so far has a variance/,
    ),
  ];
  // Of #12 nothing is known until its month is closed.
  expect(await said('2026-10')).toEqual(unused);
  expect(await said('2026-10', '--only-news')).toEqual([]);
  // What was decided of October is no mistake in November.
  expect(await said('2026-11')).toEqual(unused);
});

test('a decision that misses its record by the tax or the code is told what the books have', async () => {
  const shop = await month({
    orders: [
      { name: '#1', total: '1.00' },
      { name: '#2', tax: '4.44' },
    ],
    settings: {
      policy: { accept: [{ record: '#1', code: 'R09', why: 'asked the shop' }] },
      overrides: [{ record: '#2', tax: '5.00', why: 'agreed with the customer' }],
    },
  });
  const { stdout } = await shop.run('close', '2026-10');
  expect(stdout).toContain(
    '`policy.accept` has #1 with code R09, and the periods closed so far have it with total-differs: correct the code',
  );
  expect(stdout).toContain(
    '`overrides` has #2 with tax 5.00, and the shop charged 4.44: an override takes the tax that was charged; write tax: "4.44", or remove it',
  );
});

test('a decision about a record of an export that was cut short is to be kept', async () => {
  const orders = [{ name: '#2' }, { name: '#1', status: 'settled' as const }];
  const shop = await month({
    orders,
    settings: { policy: { accept: [{ record: '#1', code: 'unmapped-status', why: 'asked the shop' }] } },
  });
  expect((await shop.run('close', '2026-10')).code).toBe(0);
  const whole = await shop.read('orders.csv');
  await shop.write('orders.csv', whole.slice(0, -20));
  expect((await shop.run('close', '2026-10')).stdout).toContain(
    '`policy.accept` has #1 with code unmapped-status, which fits nothing in the exports as they are: orders.csv may lack records; keep it until the files are whole',
  );
  await shop.write('orders.csv', whole);
  expect((await shop.run('close', '2026-10')).stdout).not.toContain('fits nothing');
});
