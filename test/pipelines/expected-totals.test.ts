import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recalculate, testWithLibreOffice, unconfirmed } from '../support/libreoffice.ts';
import { tableRows } from '../support/sheets.ts';
import { writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

type Figures = {
  readonly exit_code: number;
  readonly readiness: { readonly ready: boolean };
  readonly exceptions: readonly Readonly<
    Record<'code' | 'record' | 'severity' | 'message' | 'effect', string>
  >[];
};

/** Three orders and a refund in October, one order of them in November; the shop shows some totals of its own. */
const shopThatShows = async (expected: string, policy = ''): Promise<string> => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'oct.csv', [
    { name: '#1' },
    { name: '#2', status: 'refunded', refunded: '110.75' },
    { name: '#3', price: '40.00', tax: '4.30' },
    { name: '#4', at: '2026-11-02 12:00:00 -0700' },
  ]);
  await writeRefunds(folder, 'p.csv', [{ order: '#2', at: '2026-10-20 09:00:00 -0700', amount: '110.75' }]);
  await writeShop(folder, ['oct.csv'], ['p.csv'], policy);
  const config = join(folder, 'tieout.yaml');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace('refundDates:', `expected: ${expected}, refundDates:`));
  return folder;
};

const closed = async (folder: string): Promise<Figures> => {
  const config = join(folder, 'tieout.yaml');
  const ran = await tieout(['close', '2026-10', '--config', config, '--output', folder, '--json']);
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout) as Figures;
};

const book = (folder: string) => join(folder, 'shop', '2026-10', 'variance.xlsx');
const shopChecks = async (folder: string) =>
  (await tableRows(book(folder), 'Checks'))
    .filter((row) => String(row['Check']).startsWith('X'))
    .map((row) => [row['Check'], row['Left'], row['Right'], row['Result']]);

describe('totals that the shop itself shows', () => {
  test('are compared with the exports of the period, and are a check each', async () => {
    const folder = await shopThatShows(
      '[{ period: 2026-10, orders: 3, refunds: 1, gross: "140.00", tax: "15.05" }, { period: 2026-11, orders: 9 }]',
    );
    expect((await closed(folder)).exit_code).toBe(0);
    expect(await shopChecks(folder)).toEqual([
      ['X01', 3, 3, 'PASS'],
      ['X02', 1, 1, 'PASS'],
      ['X03', 140, 140, 'PASS'],
      ['X04', 15.05, 15.05, 'PASS'],
    ]);
  });

  test('that the exports do not come to fail the close', async () => {
    const folder = await shopThatShows('[{ period: 2026-10, orders: 4, tax: "25.05" }]');
    const figures = await closed(folder);
    expect([figures.exit_code, figures.readiness.ready]).toEqual([1, false]);
    expect(figures.exceptions.filter(({ code }) => code.startsWith('expected-'))).toMatchObject([
      {
        code: 'expected-orders',
        record: 'shopify 2026-10',
        severity: 'error',
        message: 'orders of shopify: 4 by the shop, and 3 by its exports',
      },
      {
        code: 'expected-tax',
        message: 'tax of shopify: 25.05 by the shop, and 15.05 by its exports',
        effect: '-10.00',
      },
    ]);
    expect(await shopChecks(folder)).toEqual([
      ['X01', 4, 3, 'FAIL'],
      ['X02', 25.05, 15.05, 'FAIL'],
    ]);
  });

  testWithLibreOffice('may differ when a person says why, and the book recalculates', async () => {
    const folder = await shopThatShows(
      '[{ period: 2026-10, orders: 4, gross: "140.00" }]',
      'policy: { accept: [{ record: shopify 2026-10, code: expected-orders, why: one was a test of the till }] }\n',
    );
    expect((await closed(folder)).exit_code).toBe(0);
    expect(await shopChecks(folder)).toEqual([
      ['X01', 4, 3, 'PASS'],
      ['X02', 140, 140, 'PASS'],
    ]);
    expect(unconfirmed(await recalculate(book(folder)))).toEqual([]);
  });
});
