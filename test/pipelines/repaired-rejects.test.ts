import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { errorsOf, type Figures } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { ordersExport } from '../support/shop-exports.ts';

const rowsOf = ({ inputs }: Figures) =>
  inputs.map(({ path, rows, used, ignored, rejected }) => [path, rows, used, ignored, rejected]);

type Repair = (row: Record<string, string>, index: number) => Record<string, string> | undefined;

const rejectsOf = (shop: Month, input: string): Promise<string> =>
  shop.read(`out/shop/2026-10/rejects/shopify/${input}.rejects.csv`);

/** Take the reject file of an input, change or drop its rows, and write them into the channel's folder. */
const repair = async (shop: Month, input: string, to: string, change: Repair): Promise<void> => {
  const options = { columns: true, relax_column_count: true } as const;
  const rows = parse<Record<string, string>>(await rejectsOf(shop, input), options);
  const repaired = rows.map(change).filter((row) => row !== undefined);
  await shop.write(to, stringify(repaired, { header: true }));
};

/** Four records that are as they should be or not, and a row that has lost its order. */
const damagedShop = async (): Promise<Month> => {
  const shop = await month({ channel: { files: ['exports'] } });
  const orders = ordersExport([
    { name: '#1' },
    { name: '#2', total: '#REF!' },
    { name: '#3' },
    { name: '#3', price: '90.00' },
  ]);
  await shop.write('exports/oct.csv', `${orders}#4,too,few,cells\n`);
  return shop;
};

describe('a reject file', () => {
  test.for([
    ['z-repaired.csv', 'behind the file it repairs'],
    ['a-repaired.csv', 'before the file it repairs'],
  ])('that was repaired and put into the folder as %s, %s, brings its records in once', async ([name]) => {
    const shop = await damagedShop();
    const damaged = await shop.close();
    expect(errorsOf(damaged).sort()).toEqual([
      'bad-cell #2',
      'cell-count #4',
      'conflicting-duplicate #3',
      'conflicting-duplicate #3',
    ]);
    await repair(shop, 'exports_oct.csv', `exports/${name}`, (row, index) => {
      if (row['_record'] === '#4') return { ...row, 'Financial Status': 'voided' };
      if (index === 1) return undefined;
      return row['_record'] === '#2' ? { ...row, Total: '110.75' } : row;
    });
    const repaired = await shop.close();
    expect(errorsOf(repaired)).toEqual([]);
    expect([repaired.exit_code, repaired.states[0]?.orders]).toEqual([0, 3]);
    expect(rowsOf(repaired)).toEqual(
      [
        [`exports/${name}`, 3, 2, 1, 0],
        ['exports/oct.csv', 5, 1, 4, 0],
      ].sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
    );
  });

  test('that was put there without a repair changes nothing: its rows are rejected again, under their own columns', async () => {
    const shop = await damagedShop();
    const before = errorsOf(await shop.close());
    await shop.write('exports/again.csv', await rejectsOf(shop, 'exports_oct.csv'));
    const again = await shop.close();
    expect(errorsOf(again)).toEqual(before);
    expect(rowsOf(again)).toEqual([
      ['exports/again.csv', 4, 0, 0, 4],
      ['exports/oct.csv', 5, 1, 4, 0],
    ]);
    await repair(shop, 'exports_again.csv', 'exports/later.csv', (row) =>
      row['_record'] === '#2' ? { ...row, Total: '110.75' } : undefined,
    );
    expect(errorsOf(await shop.close())).toEqual(before.filter((error) => error !== 'bad-cell #2'));
  });

  test('of a companion file dates its refund', async () => {
    const shop = await month({
      orders: { 'oct.csv': [{ name: '#1', status: 'refunded', refunded: '110.75' }] },
      refunds: { 'p.csv': [{ order: '#1', at: 'on Tuesday' }] },
    });
    expect(errorsOf(await shop.close())).toContain('bad-cell #1');
    await repair(shop, 'p.csv', 'q.csv', (row) => ({
      ...row,
      'Transaction Date': '2026-10-20 09:00:00 -0700',
    }));
    await shop.change({ channel: { refundDates: ['p.csv', 'q.csv'] } });
    const repaired = await shop.close();
    expect(errorsOf(repaired)).toEqual([]);
    expect(rowsOf(repaired)).toEqual([
      ['oct.csv', 1, 1, 0, 0],
      ['p.csv', 1, 0, 1, 0],
      ['q.csv', 1, 1, 0, 0],
    ]);
  });
});

test('a record that cannot be read is settled by a newer export that has it whole', async () => {
  const shop = await month({
    orders: { 'oct.csv': [{ name: '#1' }, { name: '#2', total: '#REF!' }], 'nov.csv': [{ name: '#2' }] },
  });
  const figures = await shop.close();
  expect(errorsOf(figures)).toEqual([]);
  expect(rowsOf(figures)).toEqual([
    ['nov.csv', 1, 1, 0, 0],
    ['oct.csv', 2, 1, 1, 0],
  ]);
});
