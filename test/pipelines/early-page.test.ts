import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditPack } from '../../pipelines/audit-pack.ts';
import { sign } from '../../pipelines/sign.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { type Month, month } from '../support/month.ts';
import { temporaryFolder } from '../support/tieout.ts';

const ORDERS = [{ name: '#1', at: '2026-10-05' }];
const on = (month: number, day: number) => ({
  clock: fixedClock(instant(Date.UTC(2026, month - 1, day, 20))),
});

/** What the page of October says of the day on which its books were made. */
const noteOf = async (shop: Month): Promise<string | undefined> => {
  const page = await readFile(join(shop.out(), 'report.html'), 'utf8');
  return /<p id="preliminary">(.*?)<\/p>/.exec(page)?.[1];
};

const madeOn = (day: string) =>
  `Preliminary: made on ${day}, before the period was over. Close it again after its last day, 2026-10-31.`;

test('a page that was made before its period was over says so with the day, whenever it is read', async () => {
  const shop = await month({ orders: ORDERS });
  const closeOn = (...day: Parameters<typeof on>) => shop.closeWith((same) => same, on(...day));
  await closeOn(10, 20);
  expect(await noteOf(shop)).toBe(madeOn('2026-10-20'));
  expect(await shop.verify()).toEqual([]);

  const first = await shop.files();
  await closeOn(10, 22);
  expect(await shop.files()).toEqual(first);

  await shop.change({ orders: [...ORDERS, { name: '#2', at: '2026-10-22' }] });
  await closeOn(10, 31);
  expect(await noteOf(shop)).toBe(madeOn('2026-10-31'));

  await closeOn(11, 1);
  expect(await noteOf(shop)).toBeUndefined();
  expect(await shop.verify()).toEqual([]);
});

test('books that were made early are signed and audited as they were made', async () => {
  const shop = await month({ orders: ORDERS });
  await shop.closeWith((same) => same, on(10, 20));
  for (const [role, name, day] of [
    ['preparer', 'Dana', on(10, 23)],
    ['reviewer', 'Kim', on(11, 2)],
  ] as const) {
    await shop.ports((ports) => sign.run(ports, { period: '2026-10', role, name }), day);
    expect(await noteOf(shop)).toBe(madeOn('2026-10-20'));
  }
  const into = await temporaryFolder();
  const { differences } = await shop.ports(
    (ports) => auditPack.run(ports, { period: '2026-10', into }),
    on(11, 3),
  );
  expect(differences).toEqual([]);
  expect(await shop.verify()).toEqual([]);
});
