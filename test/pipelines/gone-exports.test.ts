import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Figures, messagesOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { ordersExport } from '../support/shop-exports.ts';
import { storedCells } from '../support/stored-cells.ts';

const TWO = { 'orders-a.csv': [{ name: '#1' }], 'orders-b.csv': [{ name: '#2', price: '50.00' }] };

const ALL = { files: ['orders-*.csv'] };

type Told = Figures & { readonly error?: { readonly code: string; readonly next_step: string } };

const closed = async (shop: Month): Promise<Told> => {
  const { stdout } = await shop.runWith({ env: { TIEOUT_CORE: 'days' } }, 'close', '2026-10', '--json');
  return JSON.parse(stdout) as Told;
};

/** A shop that was closed with two files, of which one is not there any more. */
const withoutOne = async () => {
  const shop = await month({ orders: TWO, channel: ALL });
  expect(await closed(shop)).toMatchObject({ exit_code: 0, totals: { gross: '150.00' } });
  const published = await shop.files();
  await rm(join(shop.folder, 'orders-b.csv'));
  const { error } = await closed(shop);
  const key = /"(2026-10 export-gone of .*)",delete/.exec(error?.next_step ?? '')?.[1];
  const answer = (verdict: string): Promise<void> =>
    shop.write('decisions.csv', `key,decision,why,by,on\n"${key}",${verdict},a test,Ann,2026-11-02\n`);
  return { shop, published, error, answer };
};

describe('a file of the last close that is gone', () => {
  test('stops the close until its records are deleted, and leaves the same books again', async () => {
    const { shop, published, error, answer } = await withoutOne();
    expect([error?.code, await shop.files()]).toEqual(['E_EXPORT_GONE', published]);
    await answer('delete');
    const deleted = await closed(shop);
    expect(deleted).toMatchObject({
      exit_code: 0,
      totals: { gross: '100.00' },
      submissions: { withdrawn: 1 },
    });
    expect(await shop.records()).toEqual(['order 1 100.00 10.75']);
    const books = await shop.files();
    await closed(shop);
    expect([await shop.files(), await shop.verify()]).toEqual([books, []]);
  });

  test('leaves its records at the service where that is the answer, and Pay says so', async () => {
    const { shop, answer } = await withoutOne();
    await answer('keep');
    const said = 'it was in an earlier close and is gone: 1 record, 50.00, kept at the service, on no return';
    for (const figures of [await closed(shop), await closed(shop)]) {
      expect(figures).toMatchObject({ exit_code: 0, totals: { gross: '100.00', recorded: '10.75' } });
      expect(messagesOf(figures, 'export-gone')).toEqual([said]);
    }
    expect(await shop.records()).toHaveLength(2);
    const cells = await storedCells(shop.book('2026-10', 'filing-summary'));
    expect(cells.filter(({ value }) => `${value}`.includes(`orders-b.csv: ${said}.`))).toHaveLength(1);
    await shop.write('orders-b.csv', ordersExport(TWO['orders-b.csv']));
    expect(await closed(shop)).toMatchObject({ totals: { gross: '150.00' } });
  });

  test('is one that was written over by other days; of its own days each record is asked about', async () => {
    const shop = await month({ orders: TWO, channel: ALL });
    await closed(shop);
    await shop.write('orders-b.csv', ordersExport([{ name: '#3', at: '2026-11-05' }]));
    expect((await closed(shop)).error?.code).toBe('E_EXPORT_GONE');
    await shop.write('orders-b.csv', ordersExport([{ name: '#3' }]));
    const figures = await closed(shop);
    expect(messagesOf(figures, 'R20')).toHaveLength(1);
    expect(figures).toMatchObject({ exit_code: 1, totals: { gross: '200.00' } });
  });

  test('with records that waited is told, again and again', async () => {
    const orders = { ...TWO, 'orders-b.csv': [{ name: '#2', total: 'x' }] };
    const shop = await month({ orders, channel: ALL });
    await closed(shop);
    await rm(join(shop.folder, 'orders-b.csv'));
    for (const figures of [await closed(shop), await closed(shop)])
      expect(messagesOf(figures, 'gone-since')).toEqual([
        'no export has 1 record now that it had in an earlier close, held or rejected',
      ]);
  });
});
