import { beforeAll, describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { PORTLAND, SEATTLE } from '../support/shop-exports.ts';
import { sharedFolder } from '../support/tieout.ts';

const SEPTEMBER = '2026-09-10';

describe('two months closed one after the other', () => {
  const folder = sharedFolder();
  let shop: Month;
  const rowsOf = (sheet: string) => shop.rows(sheet, '2026-10', 'filing-summary');

  beforeAll(async () => {
    const prepayments = [{ period: '2026-09', opening: '20.00', added: '5.00' }];
    shop = await month(
      {
        orders: {
          'own.csv': [
            { name: '#1', at: SEPTEMBER },
            { name: '#2', at: SEPTEMBER, price: '50.00', tax: '0.00', to: SEATTLE },
            { name: '#3', price: '150.00' },
            { name: '#4', price: '60.00', tax: '0.00', to: SEATTLE },
          ],
          'market.csv': [
            { name: '#5', at: SEPTEMBER, price: '30.00', tax: '0.00', to: SEATTLE },
            { name: '#6', at: SEPTEMBER, price: '40.00', tax: '0.00', to: PORTLAND },
          ],
        },
        settings: {
          registrations: [{ state: 'CA', since: '2019-01-01', prepayments }],
          channels: [
            { name: 'shopify', files: ['own.csv'] },
            { name: 'market', files: ['market.csv'], profile: 'shopify.orders', marketplace: true },
          ],
        },
      },
      folder,
    );
    for (const period of ['2026-09', '2026-10']) await shop.close(period);
  });

  test('what the first did not use of its prepayments opens the second', async () => {
    const rows = await rowsOf('Prepayments');
    const account = rows.find((row) => row['Kind'] === 'prepayments');
    // 25.00 were there, and the whole dollars of the form asked for 11.00.
    expect([account?.['Opening'], account?.['Used'], account?.['Closing']]).toEqual([14, 14, 0]);
  });

  test('thresholds count the sales of both months, and those on marketplaces where the state has it so', async () => {
    const rows = await rowsOf('Nexus');
    const washington = rows.find((row) => row['State'] === 'WA');
    expect(washington).toMatchObject({
      'All sales': 140,
      'On marketplaces': 30,
      'Sales that count': 140,
    });
    expect(washington?.['Rule']).toContain('with marketplaces');
    const california = rows.find((row) => row['State'] === 'CA');
    expect([california?.['All sales'], california?.['On marketplaces']]).toEqual([250, null]);
  });
});

test('working papers are written where they are asked for, kept by the next close, and left out when nobody wants them', async () => {
  const shop = await month({ orders: [{ name: '#1', at: SEPTEMBER }, { name: '#2' }] });
  await shop.close('2026-09');
  await shop.close('2026-10');
  const isThere = async () => (await shop.files('2026-10')).has('working-papers.xlsx');
  expect(await isThere()).toBe(false);

  const closeWith = async (...args: readonly string[]) =>
    expect(await shop.run('close', '2026-10', ...args)).toMatchObject({ code: 0, stderr: '' });
  await closeWith('--working-papers');
  const drawn = await shop.rows('Sampling', '2026-10', 'working-papers');
  expect(new Set(drawn.map((row) => row['Transaction']))).toEqual(new Set(['2']));
  expect(await shop.verify('2026-10')).toEqual([]);

  const files = await shop.files('2026-10');
  await closeWith();
  expect(await shop.files('2026-10')).toEqual(files);
  await closeWith('--no-working-papers');
  expect(await isThere()).toBe(false);
  expect(await shop.verify('2026-10')).toEqual([]);
});
