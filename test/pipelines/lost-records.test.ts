import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pipelines } from '../entry/close.ts';
import { errorsOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';

const ORDERS = [{ name: '#1' }, { name: '#2' }, { name: '#9', at: '2026-11-10' }];

const lockedShop = async (): Promise<Month> => {
  const shop = await month({ orders: ORDERS });
  await shop.told(0, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10');
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
    const [published, records] = [await shop.files(), await shop.records()];
    await loseLedger(shop);
    expect(await shop.told(0, 'close', period)).toMatchObject({ exit_code: 0 });
    expect(await shop.files()).toEqual(published);
    await shop.told(0, 'close', '2026-11');
    expect(await shop.records()).toEqual(records);
  },
);

test('without its state, closing a locked month exits 0 and changes no byte of its folder', async () => {
  const shop = await lockedShop();
  const published = await shop.files();
  await rm(join(shop.folder, '.tieout'), { recursive: true });
  await shop.told(0, 'close', '2026-10');
  expect(await shop.files()).toEqual(published);
});

test('a remote service that lost them is sent nothing, and the next open period says so', async () => {
  const shop = await lockedShop();
  await shop.service(async (service) => service.deleteOrder('1', { provider: 'shopify' }));
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
