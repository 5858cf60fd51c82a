import { expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { SEATTLE } from '../support/shop-exports.ts';

test('an order that is voided after it was recorded is shown with what the export says now', async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2' }] });
  await shop.close();
  await shop.change({ orders: [{ name: '#1', status: 'voided' }, { name: '#2' }] });
  expect(messagesOf(await shop.close(), 'recorded-not-posted')).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; orders.csv:2 is ignored: the payment was voided, so nothing was sold',
  ]);
});

test('of an order that two exports set aside, the first by name is quoted', async () => {
  const twice = (status: 'paid' | 'voided') => ({
    orders: { 'a.csv': [{ name: '#1', status }], 'z.csv': [{ name: '#1', status }] },
  });
  const shop = await month(twice('paid'));
  await shop.close();
  await shop.change(twice('voided'));
  expect(messagesOf(await shop.close(), 'recorded-not-posted')).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; a.csv:2 is ignored: the payment was voided, so nothing was sold',
  ]);
});

test('it holds up the return of its own state alone', async () => {
  const registrations = ['CA', 'WA'].map((state) => ({ state, since: '2019-01-01' }));
  const orders = [{ name: '#1' }, { name: '#2' }, { name: '#3', to: SEATTLE, tax: '10.35' }];
  const shop = await month({ orders, settings: { registrations } });
  await shop.close();
  await shop.change({ orders: [{ name: '#1', status: 'voided' }, ...orders.slice(1)] });
  const { readiness } = await shop.close();
  expect(readiness.reasons.map(({ code, state }) => `${code} ${state}`)).toEqual(['recorded-not-posted CA']);
});
