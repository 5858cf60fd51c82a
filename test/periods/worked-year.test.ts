import { expect, test } from 'vitest';
import { answerLate, decide, openItemsOf } from '../support/decisions.ts';
import { errorsOf, type Figures, openOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const order = (name: string, at: string, more: Partial<Order> = {}): Order => ({ name, at, ...more });
const grossOf = ({ totals }: Figures): string | undefined => totals['gross'];
const DANA = ['--as', 'Dana Reyes'];

test('the year of docs/periods.md: a late refund, an edited order, an amended return', async () => {
  const october = [order('#1001', '2026-10-05'), order('#1002', '2026-10-10', { price: '200.00' })];
  const shop = await month({ orders: { 'oct.csv': october } });
  const lockAndFile = async (version: string, on: string): Promise<void> => {
    await shop.told(0, 'lock', version, ...DANA, '--open-exceptions', 'rates of an earlier month');
    const filed = await shop.run('filed', version, 'CA', '--on', on, '--confirmation', `CA-${version}`);
    expect(filed).toMatchObject({ code: 0, stderr: '' });
    expect(await shop.verify(version)).toEqual([]);
  };
  expect(grossOf(await shop.close('2026-10'))).toBe('300.00');
  await lockAndFile('2026-10', '2026-11-20');
  const folder = await shop.files('2026-10');

  const refunded = order('#1001', '2026-10-05', { refundedOn: '2026-11-05' });
  const edited = order('#1002', '2026-10-10', { price: '150.00' });
  const november = [refunded, edited, order('#1004', '2026-11-10')];
  await shop.change({ orders: { 'oct.csv': october, 'nov.csv': november } });
  expect(errorsOf(await shop.close('2026-11'))).toEqual(['newer-unknown #1002']);
  const [{ key = '' } = {}] = await openItemsOf(shop, '2026-11');
  await decide(shop, [{ key, decision: 'First file is newer', why: 'exported later' }]);
  expect(errorsOf(await shop.close('2026-11'))).toEqual(['R17 #1002']);
  expect((await openItemsOf(shop, '2026-11')).map(({ key }) => key)).toEqual([
    expect.stringMatching(/^2026-11 R17 of shopify\/order\/1002 as [0-9a-f]{16}$/),
  ]);
  await answerLate(shop, '2026-11', 'next');
  // The refund, the correction, and November's own order.
  expect(grossOf(await shop.close('2026-11'))).toBe('-50.00');
  await lockAndFile('2026-11', '2026-12-20');

  const late = order('#1003', '2026-10-20', { price: '900.00', tax: '96.75' });
  const december = [late, order('#1005', '2026-12-10')];
  await shop.change({ orders: { 'oct.csv': october, 'nov.csv': november, 'dec.csv': december } });
  await shop.close('2026-12');
  expect(await shop.refused('close', '2026-12', '--amend')).toBe('E_PERIOD_NOT_LOCKED');
  await answerLate(shop, '2026-12', 'amend');
  expect(openOf(await shop.close('2026-12'))[0]?.message).toContain('`tieout close 2026-10 --amend`');
  expect(grossOf(await shop.close('2026-10', '--amend'))).toBe('1200.00');
  await lockAndFile('2026-10-amended-1', '2027-01-11');
  expect(grossOf(await shop.close('2026-12'))).toBe('100.00');
  expect(await shop.files('2026-10')).toEqual(folder);
  // All of it together is what one close that knew everything has.
  expect(grossOf(await shop.close('2026-Q4'))).toBe('1250.00');
});
