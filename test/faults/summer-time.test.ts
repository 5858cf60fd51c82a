import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { portsHere } from '../support/close-here.ts';
import { writeOrders } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { workspaceOf, writeFaultShop } from './fault-shop.ts';

/** A shop whose export has the times of a clock on the wall, without an offset. */
const wallShop = async (zone: string, times: readonly string[]): Promise<string> => {
  const folder = await temporaryFolder();
  await writeFaultShop(folder);
  const orders = times.map(
    (time, index) => `o${index + 1},Order,${time},Oakland,CA,94607,US,0.00,100.00,10.75`,
  );
  const header =
    'order_id,transaction_type,completed_at,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax';
  await writeFile(join(folder, 'wall.csv'), `${[header, ...orders].join('\n')}\n`);
  await writeFile(
    join(folder, 'tieout.yaml'),
    `entity: shop
name: Shop
timeZone: ${zone}
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations: [{ state: CA, since: "2019-01-01" }]
databases: { ledger: "sqlite:books/ledger.db", workspace: "sqlite:work/workspace.db" }
channels: [{ name: site, files: [wall.csv] }]
`,
  );
  return folder;
};

const close = (folder: string, period: string) =>
  portsHere(folder, (ports) => monthlyClose.run(ports, { period }));

/** When each order was made, and the day it counts for, in the order of their ids. */
const timesIn = (folder: string): readonly string[] => {
  const file = new DatabaseSync(workspaceOf(folder), { readOnly: true });
  try {
    const rows = file.prepare('select instant, business_date from sale order by id').all();
    return rows.map(
      (row) => `${new Date(Number(row['instant'])).toISOString().slice(5, 16)} ${row['business_date']}`,
    );
  } finally {
    file.close();
  }
};

const SPRING = ['2026-03-08 01:59:00', '2026-03-08 02:30:00', '2026-03-08 03:00:00', '2026-03-08 23:59:59'];
const AUTUMN = ['2026-11-01 00:00:00', '2026-11-01 01:30:00', '2026-11-01 01:30:00', '2026-11-01 02:00:00'];

test.for([
  ['America/New_York', '2026-03', SPRING, ['03-08T06:59', '03-08T07:30', '03-08T07:00', '03-09T03:59']],
  ['America/Los_Angeles', '2026-03', SPRING, ['03-08T09:59', '03-08T10:30', '03-08T10:00', '03-09T06:59']],
  ['America/New_York', '2026-11', AUTUMN, ['11-01T04:00', '11-01T05:30', '11-01T05:30', '11-01T07:00']],
  ['America/Los_Angeles', '2026-11', AUTUMN, ['11-01T07:00', '11-01T08:30', '11-01T08:30', '11-01T10:00']],
] as const)(
  'in %s a close of %s has every order of the day on which the clocks change',
  async ([zone, period, times, instants]) => {
    const folder = await wallShop(zone, times);
    const closed = await close(folder, period);
    const day = times[0]?.slice(0, 10);
    expect(timesIn(folder)).toEqual(instants.map((at) => `${at} ${day}`));
    expect(closed.submitted).toMatchObject({ created: times.length });
    expect(closed.written.report.states).toMatchObject([{ state: 'CA', orders: times.length }]);
    const again = await close(folder, period);
    expect(again.submitted).toMatchObject({ created: 0, updated: 0, unchanged: times.length });
    expect(again.written.report.states).toEqual(closed.written.report.states);
  },
);

test('orders at the edges of the month and of summer time are of the day that the seller’s clock shows', async () => {
  const folder = await temporaryFolder();
  await writeFaultShop(folder);
  const days = async (period: string, orders: Readonly<Record<string, string>>) => {
    await writeOrders(
      folder,
      'orders.csv',
      Object.entries(orders).map(([name, at]) => ({ name, at })),
    );
    const { written } = await close(folder, period);
    return written.report.states.reduce((sum, { orders: count }) => sum + count, 0);
  };
  const november = {
    '#1': '2026-11-01 00:00:00 -0700',
    '#2': '2026-11-01 01:30:00 -0700',
    '#3': '2026-11-01 01:30:00 -0800',
    '#4': '2026-11-30 23:59:59 -0800',
    '#5': '2026-12-01 02:59:59 -0500',
  };
  const october = { '#6': '2026-10-31 23:59:59 -0700', '#7': '2026-11-01 02:59:59 -0400' };
  const december = { '#8': '2026-12-01 00:00:00 -0800' };
  expect(await days('2026-11', { ...november, ...october, ...december })).toBe(5);
  expect(await days('2026-10', { ...november, ...october, ...december })).toBe(2);
});
