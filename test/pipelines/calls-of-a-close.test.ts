import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { pipelines } from '../entry/close.ts';
import { lockClosed } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';

/** Orders of two months; on the first day of the second, two that differ in their numbers alone. */
const ORDERS = [
  { name: '#1', at: '2026-10-31' },
  { name: '#2', at: '2026-11-01' },
  { name: '#3', at: '2026-11-01' },
  { name: '#4', at: '2026-11-02', price: '50.00' },
  { name: '#5', at: '2026-11-20' },
];

/** A service that counts what it is asked. */
const counting = (service: TaxService) => {
  const asked = { calculated: 0, created: [] as string[], shown: [] as string[], listed: 0 };
  const counted: TaxService = {
    ...service,
    list: (kind, query) => {
      asked.listed += 1;
      return service.list(kind, query);
    },
    calculateTax: (request) => {
      asked.calculated += 1;
      return service.calculateTax(request);
    },
    createMany: (all) => {
      asked.created.push(...all.map(({ transaction }) => transaction.transaction_id));
      return service.createMany(all);
    },
    showMany: (names) => {
      asked.shown.push(...names.map(({ id }) => id));
      return service.showMany(names);
    },
  };
  return { service: counted, asked };
};

/** Closes November by a service that is not our own, and returns what that was asked. */
const askedBy = (shop: Month) =>
  shop.ports(async ({ service: embedded, ...ports }) => {
    const { service, asked } = counting(embedded);
    const answers = {
      results: async () => new Map(),
      keep: async () => {},
    };
    const remote = { ...ports, service, answers, serviceId: 'https://tax.example.com' };
    await pipelines.monthlyClose.run(remote, { period: '2026-11' });
    return asked;
  });

const NOVEMBER = ['2', '3', '4', '5'];

test('a first close calculates each request, creates and shows each record, and lists each day once by kind and source', async () => {
  const shop = await month({ orders: ORDERS });
  expect(await askedBy(shop)).toEqual({ calculated: 3, created: NOVEMBER, shown: NOVEMBER, listed: 36 });
});

test('so it does behind a locked month, whose last days it lists as well', async () => {
  const shop = await month({ orders: ORDERS });
  await lockClosed(shop, '2026-10');
  const first = await askedBy(shop);
  expect(first).toMatchObject({ calculated: 3, created: NOVEMBER, shown: NOVEMBER });
  await rm(join(shop.folder, 'output', 'shop', '2026-11'), { recursive: true, force: true });
  const second = await askedBy(shop);
  expect(second).toEqual({ ...first, created: [] });
});
