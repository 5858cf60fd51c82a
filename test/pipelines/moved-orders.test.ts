import { expect, test } from 'vitest';
import { decide, openItemsOf } from '../support/decisions.ts';
import { openOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import type { TemplateRow } from '../support/shop-exports.ts';

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
    { code: 'recorded-not-posted', message: expect.stringMatching(/orders\.csv:3 is of 2026-11-15 now$/) },
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
  const [october, november] = [await shop.close('2026-10'), await shop.close('2026-11')];
  expect(openOf(october).map(({ message }) => message)).toEqual([
    'the service holds this refund of "shop" with -10.75 tax; orders.csv:3 is of 2026-11-20 now',
  ]);
  expect(openOf(november).map(({ message }) => message)).toEqual([
    'none of the exports holds an order of the period',
    'the service has refund 1-R on 2026-10-20 with -10.75 tax, and no export states it on that day, so nothing was sent for refund 1-R',
  ]);
  for (const period of ['2026-10', '2026-11']) expect(await shop.verify(period)).toEqual([]);
});
