import { expect, test } from 'vitest';
import { accepting } from '../support/accepting.ts';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { AUSTIN } from '../support/shop-exports.ts';

const orders = [{ name: '#1' }, { name: '#2', currency: 'CAD' }];

test('a sale in another currency to a state with a registration keeps the month open until a person decides', async () => {
  const shop = await month({ orders });
  const open = await shop.close();
  expect(open.exit_code).toBe(1);
  expect(messagesOf(open, 'R24')).toEqual([
    'Currency: in CAD, never converted, not posted; the seller is registered in CA, so its tax is due there in US dollars and is missing in the return',
  ]);
  const byHand = { record: '#2', code: 'R24', why: 'on line 1 of the return by hand' };
  await shop.write('decisions.csv', accepting('2026-10', byHand));
  expect((await shop.close()).exit_code).toBe(0);
});

test('to a state without one it is a notice', async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2', currency: 'CAD', to: AUSTIN }] });
  const closed = await shop.close();
  expect(messagesOf(closed, 'R24')).toEqual(['Currency: in CAD, never converted, not posted']);
  expect(closed.exit_code).toBe(0);
});
