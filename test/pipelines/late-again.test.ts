import { expect, test } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { pipelines } from '../entry/close.ts';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const ONE: Order = { name: '#1' };
const NOVEMBER: Order = { name: '#9', at: '2026-11-10' };

test.for([
  {
    what: 'a changed order',
    late: { ...ONE, price: '80.00' },
    sent: ['order 1-late-1 80.00 8.60', 'refund 1-late-1-reversal -100.00 -10.75'],
    left: ['refund 1-late-1-reversal -100.00 -10.75'],
  },
  {
    what: 'a new order',
    late: { name: '#2', price: '80.00' },
    sent: ['order 2 80.00 8.60'],
    left: [],
  },
] as const)(
  'a record that is carried from a locked month and not wanted before it is filed leaves the service: of $what',
  async ({ late, sent, left }) => {
    const settings = { policy: { lateItems: 'carry' } };
    const shop = await month({ orders: [ONE, NOVEMBER], settings });
    const others = [ONE, NOVEMBER].filter(({ name }) => name !== late.name);
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    const filed = ['order 1 100.00 10.75', 'order 9 100.00 10.75'];

    await shop.change({ orders: [...others, late] });
    await shop.close('2026-11');
    expect(await shop.records()).toEqual([...filed, ...sent].sort());

    await shop.change({ orders: [...others, { ...late, status: 'voided' }] });
    const again = await shop.close('2026-11');
    expect(again.submissions['withdrawn']).toBe(1);
    expect(await shop.records()).toEqual([...filed, ...left].sort());
    expect(await shop.verify('2026-11')).toEqual([]);

    expect((await shop.close('2026-11')).submissions['withdrawn']).toBe(0);
    await shop.change({ orders: [...others, late] });
    await shop.close('2026-11');
    expect(await shop.records()).toEqual([...filed, ...sent].sort());
  },
);

test('a carried record that the service refuses to delete does not stop a close, and the next one tries again', async () => {
  const shop = await month({ orders: [ONE, NOVEMBER], settings: { policy: { lateItems: 'carry' } } });
  await shop.told(0, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10');
  const late: Order = { name: '#2', price: '80.00' };
  await shop.change({ orders: [ONE, NOVEMBER, late] });
  await shop.close('2026-11');
  await shop.change({ orders: [ONE, NOVEMBER, { ...late, status: 'voided' }] });
  const deleteOrder = async () => {
    throw new ServiceRefusal(403, 'orders of a filed month are not deleted');
  };
  const refused = await shop.ports(({ service, ...ports }) =>
    pipelines.monthlyClose.run({ ...ports, service: { ...service, deleteOrder } }, { period: '2026-11' }),
  );
  expect(refused.submitted).toMatchObject({ withdrawn: 0, refused: 1 });
  expect(await shop.records()).toContain('order 2 80.00 8.60');

  expect((await shop.close('2026-11')).submissions).toMatchObject({ withdrawn: 1, refused: 0 });
  expect(await shop.records()).not.toContain('order 2 80.00 8.60');
});
