import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { ordersExport } from '../support/shop-exports.ts';

const FIRST = { name: '#1' };
const SECOND = { name: '#2', price: '50.00' };

/** A shop that was closed with two files. */
const closed = async (second: object = SECOND) => {
  const shop = await month({
    orders: { 'shop-a.csv': [FIRST], 'shop-b.csv': [{ ...SECOND, ...second }] },
    channel: { files: ['shop-*.csv'] },
  });
  await shop.close();
  return {
    ...shop,
    overwrite: (order: object): Promise<void> =>
      shop.write('shop-b.csv', ordersExport([{ ...SECOND, ...order }])),
    remove: (): Promise<void> => rm(join(shop.folder, 'shop-b.csv')),
    /** Gives one of the two answers that the error asks for. */
    answer: async (verdict: string): Promise<void> => {
      const { stderr } = await shop.run('close', '2026-10');
      const line = stderr.split('\n').find((one) => one.includes(`,${verdict},`));
      await shop.write('decisions.csv', `key,decision,why,by,on\n${line?.replace('DAY', '')}\n`);
    },
  };
};

describe('a file of the last close that is gone', () => {
  test('stops the close until its records are deleted, and leaves the same books again', async () => {
    const shop = await closed();
    const published = await shop.files();
    await shop.remove();
    expect(await shop.refused('close', '2026-10')).toBe('E_EXPORT_GONE');
    expect(await shop.files()).toEqual(published);
    await shop.answer('delete');
    expect(await shop.close()).toMatchObject({
      exit_code: 0,
      totals: { gross: '100.00' },
      submissions: { withdrawn: 1 },
    });
    expect(await shop.records()).toEqual(['order 1 100.00 10.75']);
    const books = await shop.files();
    await shop.close();
    expect(await shop.files()).toEqual(books);
    expect(await shop.verify()).toEqual([]);
  });

  test('stops the close, too, where a kill left the folder of the last close moved away', async () => {
    const shop = await closed();
    await shop.remove();
    const books = join(shop.folder, 'out', 'shop');
    await rename(join(books, '2026-10'), join(books, '.2026-10.replaced'));
    expect(await shop.refused('close', '2026-10')).toBe('E_EXPORT_GONE');
  });

  test('leaves its records at the service where that is the answer', async () => {
    const shop = await closed();
    await shop.remove();
    await shop.answer('keep');
    const said = 'it was in an earlier close and is gone: 1 record, 50.00, kept at the service, on no return';
    for (const figures of [await shop.close(), await shop.close()]) {
      expect(figures).toMatchObject({
        exit_code: 0,
        totals: { gross: '100.00', recorded: '10.75' },
      });
      expect(messagesOf(figures, 'export-gone')).toEqual([said]);
      expect(messagesOf(figures, 'decision-without-line')).toEqual([]);
    }
    expect(await shop.records()).toHaveLength(2);
    await shop.overwrite(SECOND);
    const back = await shop.close();
    expect(back).toMatchObject({ totals: { gross: '150.00' } });
    expect(messagesOf(back, 'decision-without-line')).toEqual([]);
  });

  test('is one that was written over by other days; of its own days each record is asked about', async () => {
    const shop = await closed();
    await shop.overwrite({ name: '#3', at: '2026-11-05' });
    expect(await shop.refused('close', '2026-10')).toBe('E_EXPORT_GONE');
    await shop.overwrite({ name: '#3' });
    const figures = await shop.close();
    expect(messagesOf(figures, 'R20')).toHaveLength(1);
    expect(figures).toMatchObject({ exit_code: 1, totals: { gross: '150.00' } });
  });

  test('with records that waited is told, again and again', async () => {
    const shop = await closed({ total: 'x' });
    await shop.remove();
    for (const figures of [await shop.close(), await shop.close()])
      expect(messagesOf(figures, 'gone-since')).toEqual([
        'no export has 1 record now that it had in an earlier close, held or rejected',
      ]);
  });
});
