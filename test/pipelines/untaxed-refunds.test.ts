import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

const settings = { registrations: [{ state: 'CA', since: '2019-01-01' }] };

test('a refund that gives back no tax of a taxed order has a reason of its own', async () => {
  const shop = await month({
    settings,
    template: [
      { name: '1' },
      { name: '1-r', refundOf: '1', tax: '0.00', at: '2026-10-12' },
      // Neither this order nor its refund has any tax: together they come to nothing.
      { name: '2', tax: '0.00' },
      { name: '2-r', refundOf: '2', tax: '0.00', at: '2026-10-12' },
      { name: '3' },
      { name: '3-r', refundOf: '3', price: '40.00', tax: '0.00', at: '2026-10-12' },
    ],
  });
  const figures = await shop.close();
  const reasons = (await shop.detail()).flatMap((row) =>
    row['Reason'] === null
      ? []
      : [`${row['Transaction']} ${row['Reason']} ${row['Reason amount']}: ${row['Proof']}`],
  );
  expect(reasons.sort()).toEqual([
    '1-r R29 10.75: its order was charged 10.75, and 10.75 of it was to be given back',
    '2 R11 -10.75: nexus in the destination; 10.75 was due',
    '2-r R11 10.75: nexus in the destination; 10.75 was due',
    '3-r R29 4.3: its order was charged 10.75, and 4.30 of it was to be given back',
  ]);
  expect(figures.clusters.map(({ code, effect }) => `${code} ${effect}`)).toEqual(['R11 0.00', 'R29 15.05']);
  const decided = await shop.read('out/shop/2026-10/open-items.csv');
  expect(decided).toMatch(/^D01,2026-10 R29 in CA,.*,Remit \| Refund the customer \| Accept,Remit,/m);
  expect(await shop.verify()).toEqual([]);
});
