import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExceptions } from '../../src/close/report/period-report.ts';
import { closeHere } from '../support/close-here.ts';
import { writeOrders } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

const SETTINGS = `entity: shop
name: Shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations: [{ state: CA, since: "2019-01-01" }]
channels: [{ name: shopify, files: [orders.csv] }, { name: outlet, files: [outlet.csv] }]
`;

/** October of two channels, of which the second sold something on these days. */
const openOf = async (outletDays: readonly string[], more = '') => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'tieout.yaml'), `${SETTINGS}${more}`);
  await writeOrders(folder, 'orders.csv', [{ name: '#1' }]);
  const outlet = outletDays.map((day, index) => ({ name: `#${901 + index}`, at: `${day} 12:00:00 -0700` }));
  await writeOrders(folder, 'outlet.csv', outlet);
  const { written } = await closeHere(folder);
  return openExceptions(written.report).map(({ code, origin, message }) => [code, origin.record, message]);
};

test('a channel that sold until the month before, and in the month nothing, is open: its export may be the old one', async () => {
  expect(await openOf(['2026-09-10', '2026-09-30'])).toEqual([
    [
      'no-channel-sales',
      'outlet 2026-10',
      'the exports of "outlet" hold no sale of the period, and their last one before it is of 2026-09-30',
    ],
  ]);
});

test.for([
  ['sold something', ['2026-09-30', '2026-10-31'], ''],
  ['has been quiet for longer', ['2026-08-31'], ''],
  [
    'is known to be quiet',
    ['2026-09-30'],
    'policy: { accept: [{ record: outlet 2026-10, code: no-channel-sales, why: closed for the season }] }\n',
  ],
] as const)('one that %s is not', async ([, days, policy]) => {
  expect(await openOf(days, policy)).toEqual([]);
});
