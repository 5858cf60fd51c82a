import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Order } from '../../src/contract/transaction.ts';
import { draftOf } from '../../src/contract/wire.ts';
import { pipelines } from '../entry/close.ts';
import { decide, lockClosed, openItemsOf } from '../support/decisions.ts';
import { errorsOf, messagesOf, openOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { OAKLAND, type TemplateRow } from '../support/shop-exports.ts';

/** An order on each of these days of 2026. */
const on = (...days: readonly string[]) => ({
  orders: days.map((day, index) => ({ name: `#${index + 1}`, at: `2026-${day}` })),
});

test('an order that gets a later day is asked about in its month, and recorded on the later one after delete', async () => {
  const shop = await month(on('10-10', '10-11'));
  await shop.close('2026-10');
  await shop.change(on('10-10', '11-15'));

  const moved = await shop.close('2026-10');
  expect(openOf(moved)).toMatchObject([
    { code: 'recorded-not-posted', message: expect.stringMatching(/does not post it on that day$/) },
  ]);
  const [{ key } = { key: '' }] = await openItemsOf(shop, '2026-10');
  await decide(shop, [{ key, decision: 'delete', why: 'the shop has moved it' }]);
  expect(await shop.close('2026-10')).toMatchObject({ exit_code: 0, submissions: { withdrawn: 1 } });
  expect(await shop.rows('Completeness', '2026-10')).toMatchObject([{ Posted: 1, Recorded: 1 }]);
  const october = await shop.files('2026-10');

  expect(await shop.close('2026-11')).toMatchObject({ exit_code: 0, submissions: { created: 1 } });
  expect(await shop.rows('Completeness', '2026-11')).toMatchObject([{ Posted: 1, Recorded: 1 }]);
  await shop.close('2026-10');
  expect(await shop.files('2026-10')).toEqual(october);
});

test('a refund that gets a later day cannot leave: both months name it, and both can be verified', async () => {
  const refundedOn = (at: string): readonly TemplateRow[] => [
    { name: '1' },
    { name: '1-R', refundOf: '1', at },
  ];
  const shop = await month({ template: refundedOn('2026-10-20') });
  await shop.close('2026-10');
  await shop.change({ template: refundedOn('2026-11-20') });
  const october = await shop.close('2026-10');
  const november = await shop.close('2026-11');
  expect(openOf(october).map(({ message }) => message)).toEqual([
    'the service holds this refund of "shop" with -10.75 tax; an export has it, and does not post it on that day',
  ]);
  expect(openOf(november).map(({ message }) => message)).toEqual([
    'none of the exports holds an order of the period',
    'the service has refund 1-R on 2026-10-20 with -10.75 tax, and no export states it on that day, so nothing was sent for refund 1-R',
  ]);
  for (const period of ['2026-10', '2026-11']) expect(await shop.verify(period)).toEqual([]);
});

const SOLD = { name: 'T-1', customer: 'c1', at: '2026-10-10' };

const shownBy = (shop: Awaited<ReturnType<typeof month>>) =>
  shop.service(async (service) => {
    const [order] = await service.showMany([{ kind: 'order', id: 'T-1', provider: 'shop' }]);
    return order && [order.customer_id, order.to_city];
  });

test('a value that an order has no more is open, until the record is deleted there and sent again', async () => {
  const shop = await month({ template: [SOLD] });
  await shop.close();
  expect(await shownBy(shop)).toEqual(['c1', 'OAKLAND']);

  await shop.change({ template: [{ ...SOLD, customer: '', to: { ...OAKLAND, city: '' } }] });
  const changed = await shop.close();
  expect(changed.submissions).toMatchObject({ updated: 1, refused: 0 });
  expect(messagesOf(changed, 'recorded-otherwise')).toEqual([
    expect.stringContaining('customer_id was sent as "" and is recorded as "c1"'),
    expect.stringContaining('to_city was sent as "" and is recorded as "OAKLAND"'),
  ]);
  await shop.service((service) => service.remove('order', 'T-1', { provider: 'shop' }));
  expect(await shop.close()).toMatchObject({ exit_code: 0, submissions: { created: 1 } });
  expect(await shownBy(shop)).toEqual([null, null]);
});

/** Another system records the order of the shop once more, as its own. */
const recordAs = (shop: Month, provider: string): Promise<unknown> =>
  shop.service(async (service) => {
    const [order] = await service.showMany([{ kind: 'order', id: 'T-1', provider: 'till' }]);
    return service.createMany([{ kind: 'order', transaction: { ...draftOf(order as Order), provider } }]);
  });

test.for(['shop', 'api'])(
  'an order that is recorded twice is found where the other source is called like its channel: %s',
  async (name) => {
    const shop = await month({
      template: [{ name: 'T-1' }],
      channel: { name, provider: 'till' },
      settings: { service: { otherProviders: [name] } },
    });
    expect(await shop.close()).toMatchObject({ exit_code: 0, exceptions: [] });
    await recordAs(shop, name);
    const doubled = await shop.close();
    expect(doubled.exit_code).toBe(1);
    expect(messagesOf(doubled, 'R20')).toEqual([
      `the service holds this order of "${name}" with 10.75 tax; no export explains it`,
    ]);
    const days = await shop.rows('Completeness');
    expect(days.map((day) => [day['Channel'], day['Posted'], day['Recorded'], day['Extra']])).toEqual([
      [name, 1, 1, 0],
      [`${name} (no channel)`, 0, 1, 1],
    ]);
    expect(await shop.verify()).toEqual([]);
  },
);

const ORDERS = [{ name: '#1' }, { name: '#2' }, { name: '#9', at: '2026-11-10' }];

const lockedShop = async (): Promise<Month> => {
  const shop = await month({ orders: ORDERS });
  await lockClosed(shop, '2026-10');
  return shop;
};

const loseLedger = async ({ folder }: Month): Promise<void> => {
  for (const file of readdirSync(join(folder, '.tieout')).filter((name) => name.startsWith('ledger')))
    await rm(join(folder, '.tieout', file));
};

test.each(['2026-10', '2026-11'])(
  'a ledger that lost the records of a locked month gets them back as its folder has them: close %s',
  async (period) => {
    const shop = await lockedShop();
    await shop.told(0, 'close', '2026-11');
    const published = await shop.files();
    const records = await shop.records();
    await loseLedger(shop);
    expect(await shop.told(0, 'close', period)).toMatchObject({ exit_code: 0 });
    expect(await shop.files()).toEqual(published);
    await shop.told(0, 'close', '2026-11');
    expect(await shop.records()).toEqual(records);
  },
);

test('a remote service that lost them is sent nothing, and the next open period says so', async () => {
  const shop = await lockedShop();
  await shop.service(async (service) => service.remove('order', '1', { provider: 'shopify' }));
  const sent: string[] = [];
  const { report } = (
    await shop.ports(({ service, ...ports }) =>
      pipelines.monthlyClose.run(
        {
          ...ports,
          answers: {
            results: async () => new Map(),
            keep: async () => {},
          },
          serviceId: 'https://tax.example.com',
          service: {
            ...service,
            createMany: async (all) => {
              sent.push(...all.map(({ transaction }) => transaction.transaction_id));
              return service.createMany(all);
            },
          },
        },
        { period: '2026-11' },
      ),
    )
  ).written;
  expect(sent).toEqual(['9']);
  const missing = report.exceptions.filter(({ code }) => code === 'locked-records-missing');
  expect(missing.map(({ message }) => message)).toEqual([
    'the service lacks 1 record of 2026-10, which is locked; nothing is sent for them',
  ]);
});

test('a record on a locked day that no locked folder has is asked about in the first open period behind it', async () => {
  const shop = await lockedShop();
  const policy = { lateItems: 'carry' };
  const late = { name: '#3', price: '80.00', at: '2026-10-30' };
  await shop.change({ orders: [...ORDERS, late], settings: { policy } });
  await shop.told(0, 'close', '2026-11');
  expect(await shop.records()).toContain('order 3 80.00 8.60');
  await shop.change({ orders: [...ORDERS, { ...late, status: 'voided' as const }] });
  const asked = await shop.told(1, 'close', '2026-11');
  expect(errorsOf(asked)).toEqual(['recorded-not-posted 3']);
  expect(errorsOf(await shop.told(1, 'close', '2026-12'))).toEqual(['no-sales 2026-12']);
});
