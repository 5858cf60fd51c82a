import { expect, test } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { OAKLAND } from '../support/shop-exports.ts';

const SOLD = { name: 'T-1', customer: 'c1', at: '2026-10-10' };

const shownBy = (shop: Awaited<ReturnType<typeof month>>) =>
  shop.service(async (service) => {
    const [order] = await service.showMany([{ kind: 'order', id: 'T-1', provider: 'shop' }]);
    return order && [order.customer_id, order.to_city];
  });

test('a value that an order has no more leaves the service, too', async () => {
  const shop = await month({ template: [SOLD] });
  await shop.close();
  expect(await shownBy(shop)).toEqual(['c1', 'OAKLAND']);

  await shop.change({ template: [{ ...SOLD, customer: '', to: { ...OAKLAND, city: '' } }] });
  const changed = await shop.close();
  expect(changed.submissions).toMatchObject({ updated: 1, refused: 0 });
  expect(messagesOf(changed, 'recorded-otherwise')).toEqual([]);
  expect(await shownBy(shop)).toEqual([null, null]);
  expect((await shop.close()).submissions).toMatchObject({ updated: 0, unchanged: 1 });
});

test('an order without tax that turns out to be a sale of a marketplace is one at the service, too', async () => {
  const untaxed = { ...SOLD, tax: '0.00' };
  const shop = await month({ template: [untaxed] });
  await shop.close();
  const exemption = () =>
    shop.service(async (service) => {
      const [order] = await service.showMany([{ kind: 'order', id: 'T-1', provider: 'shop' }]);
      return order?.exemption_type;
    });
  expect(await exemption()).toBeNull();

  await shop.change({ template: [{ ...untaxed, exemption: 'marketplace' }] });
  expect((await shop.close()).submissions).toMatchObject({ updated: 1, refused: 0 });
  expect(await exemption()).toBe('marketplace');
  expect((await shop.close()).submissions).toMatchObject({ updated: 0, unchanged: 1 });
});

test('a run that stops after it deleted such an order is made good by the next one', async () => {
  const shop = await month({ template: [SOLD] });
  await shop.close();
  await shop.change({ template: [{ ...SOLD, customer: '' }] });
  let isDeleted = false;
  const stopped = shop.closeWith((ports) => ({
    ...ports,
    service: {
      ...ports.service,
      deleteOrder: async (...given) => {
        const deleted = await ports.service.deleteOrder(...given);
        isDeleted = true;
        return deleted;
      },
      createMany: async (given) => {
        if (isDeleted) throw new Error('the process ends');
        return ports.service.createMany(given);
      },
    },
  }));
  await expect(stopped).rejects.toThrow('the process ends');
  expect(await shop.records('shop')).toEqual([]);

  expect(await shop.close()).toMatchObject({ exit_code: 0, submissions: { created: 1 } });
  expect(await shop.records('shop')).toEqual(['order T-1 100.00 10.75']);
  expect(await shownBy(shop)).toEqual([null, 'OAKLAND']);
});

test('an order whose content the service refuses stays there as it was', async () => {
  const shop = await month({ template: [SOLD] });
  await shop.close();
  const records = await shop.records('shop');
  const fruitvale = { ...OAKLAND, zip: '94601' };
  await shop.change({ template: [{ ...SOLD, customer: '', to: fruitvale }] });
  const refusal = new ServiceRefusal(400, 'to_zip is not used any more');
  const isRefused = ({ to_zip }: { readonly to_zip?: string | undefined }) => to_zip === fruitvale.zip;
  await shop.closeWith(({ service, ...ports }) => ({
    ...ports,
    service: {
      ...service,
      createMany: async (given) => {
        const [record] = await service.showMany([{ kind: 'order', id: 'T-1', provider: 'shop' }]);
        const isNew = record === undefined && given.some(({ transaction }) => isRefused(transaction));
        return isNew ? [refusal] : service.createMany(given);
      },
      updateOrder: async (id, changes) => {
        if (isRefused(changes)) throw refusal;
        return service.updateOrder(id, changes);
      },
    },
  }));
  expect(await shop.records('shop')).toEqual(records);
  expect(await shownBy(shop)).toEqual(['c1', 'OAKLAND']);
  expect((await shop.close()).submissions).toMatchObject({ updated: 1, refused: 0 });
  expect(await shownBy(shop)).toEqual([null, 'OAKLAND']);
});
