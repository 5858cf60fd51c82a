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
    expect.stringMatching(/tieout\.yaml:\d+: `overrides` has #7, which fits nothing/),
  ];
  // Of #12 nothing is known until its month is closed.
  expect(await said('2026-10')).toEqual(unused);
  expect(await said('2026-10', '--only-news')).toEqual([]);
  // What was decided of October is no mistake in November.
  expect(await said('2026-11')).toEqual(unused);
});
