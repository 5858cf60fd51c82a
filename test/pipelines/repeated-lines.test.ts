import { expect, test } from 'vitest';
import { errorsOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

const HEADER =
  'Date,Time,Time Zone,Item,Qty,SKU,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Event Type,Location';
const mug = (transaction: string): string =>
  `2026-10-05,12:00:00,Pacific Time (US & Canada),Mug,1.0,MUG,$100.00,$0.00,$100.00,$10.75,${transaction},Payment,Shop`;

const tillWith = async (transactions: readonly string[]) => {
  const shop = await month({
    channel: {
      files: ['exports'],
      locations: { Shop: { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '1 Main St' } },
    },
  });
  await shop.write('exports/items.csv', `${[HEADER, ...transactions.map(mug)].join('\n')}\n`);
  return shop;
};

test('a month waits for what a line is that stands apart from an equal one of its sale', async () => {
  const shop = await tillWith(['T1', 'T2', 'T1']);
  const waiting = await shop.close();
  expect(errorsOf(waiting)).toEqual(['repeated-line T1']);
  expect(waiting).toMatchObject({ exit_code: 1, totals: { gross: '200.00', collected: '21.50' } });
  expect(waiting.exceptions[0]).toMatchObject({ code: 'repeated-line', state: 'CA', effect: '10.75' });
  expect(await shop.close()).toMatchObject({ exit_code: 1, submissions: { created: 0, updated: 0 } });

  // Rows of a sale beneath each other are its lines.
  await shop.write('exports/items.csv', `${[HEADER, mug('T1'), mug('T1'), mug('T2')].join('\n')}\n`);
  expect(await shop.close()).toMatchObject({ exit_code: 0, totals: { gross: '300.00', collected: '32.25' } });
});

test('a repaired line is a sale of its own, and one that was left as it was waits as before', async () => {
  const shop = await tillWith(['T1', 'T2', 'T1']);
  await shop.close();
  const rejects = await shop.read('out/shop/2026-10/rejects/shopify/exports_items.csv.rejects.csv');
  await shop.write('exports/repaired.csv', rejects);
  expect(errorsOf(await shop.close())).toEqual(['repeated-line T1']);

  await shop.write('exports/repaired.csv', rejects.replace('10.75,T1', '10.75,T1b'));
  expect(await shop.close()).toMatchObject({ exit_code: 0, totals: { gross: '300.00', collected: '32.25' } });
});
