import { describe, expect, test } from 'vitest';
import { accepting } from '../support/accepting.ts';
import { month } from '../support/month.ts';
import { ordersExport } from '../support/shop-exports.ts';

describe('a table beside the exports that nothing reads', () => {
  test('keeps the month from being READY where it is a known export of sales, until it is accepted', async () => {
    const shop = await month({ orders: [{ name: '#1' }] });
    const sales = ordersExport([{ name: '#2' }]);
    await shop.write('desk.csv', sales);
    await shop.write('november.csv', await shop.read('orders.csv'));
    await shop.write('bank.csv', 'Date,Description,Amount\n2026-10-02,Rent,3.00\n');
    await shop.write('prices.csv', 'Name,SKU,Price,Tax class\nMug,M1,3.00,standard\n');
    const severities = async (): Promise<readonly unknown[]> =>
      (await shop.rows('Exceptions')).flatMap(({ Code, Record, Severity, Decision }) =>
        String(Code).endsWith('not-read') ? [[Record, Severity, Decision]] : [],
      );
    const { code, stdout } = await shop.run('close', '2026-10');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'open sales-not-read desk.csv: NOT COMPLETE: desk.csv is not read, so every amount may lack its sales\n',
    );
    expect((await shop.run('status')).stdout).toContain('NOT COMPLETE: desk.csv is not read');
    expect(await severities()).toEqual(
      expect.arrayContaining([
        ['bank.csv', 'notice', null],
        ['prices.csv', 'notice', null],
        // A copy of an export says nothing more.
        ['november.csv', 'notice', null],
        ['desk.csv', 'error', 'open'],
      ]),
    );
    expect(await shop.verify()).toEqual([]);

    await shop.write('desk.csv', 'Name,SKU,Price\nMug,M1,3.00\n');
    expect((await shop.run('close', '2026-10')).code).toBe(0);
    await shop.write('desk.csv', sales);
    const quotes = { record: 'desk.csv', code: 'sales-not-read', why: 'quotes' };
    await shop.write('decisions.csv', accepting('2026-10', quotes));
    expect((await shop.run('close', '2026-10')).code).toBe(0);
  });

  test('is none where another entity of the configuration names it', async () => {
    const shops = await month({
      entities: { store: { orders: [{ name: '#1' }] }, outlet: { orders: [{ name: '#2' }] } },
    });
    await shops.write('more.csv', 'Order,Total\nD-1,20.00\n');
    const { stdout } = await shops.run('close', '2026-10', '--entity', 'store');
    expect(stdout).toContain('not read: more.csv\n');
    const doctor = await shops.run('doctor');
    expect(doctor.stdout).toContain('more.csv: it lies beside the exports');
    expect(doctor.stdout).not.toContain('orders.csv: it lies beside');
  });
});
