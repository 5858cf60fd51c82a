import { expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { OAKLAND } from '../support/shop-exports.ts';

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
  await shop.service((service) => service.deleteOrder('T-1', { provider: 'shop' }));
  expect(await shop.close()).toMatchObject({ exit_code: 0, submissions: { created: 1 } });
  expect(await shownBy(shop)).toEqual([null, null]);
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
