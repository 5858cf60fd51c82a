import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { month } from '../support/month.ts';

describe('the control totals of a close', () => {
  test('of every outcome add up to the file, column by column, and unreadable cells are counted and named', async () => {
    const shop = await month({
      orders: {
        'oct.csv': [
          { name: '#1' },
          { name: '#2', total: '#REF!' },
          { name: '#3', status: 'voided' },
          { name: '#4', refunded: '20.00', status: 'partially_refunded' },
          { name: '#5', price: '50.00', tax: '9.99', total: '70.00' },
          { name: '#1' },
        ],
      },
    });
    const figures = await shop.close();
    expect(figures.inputs).toMatchObject([
      {
        rows: 6,
        used: 3,
        ignored: 2,
        rejected: 1,
        records: { accepted: 2, warning: 0, review: 1, ignored: 2, rejected: 1 },
        columns: {
          Total: {
            all: '513.00',
            used: '291.50',
            review: '70.00',
            ignored: '221.50',
            rejected: '0.00',
            unreadable: 1,
          },
          Taxes: { all: '63.74', used: '31.49', ignored: '21.50', rejected: '10.75', unreadable: 0 },
          'Refunded Amount': { all: '20.00', used: '20.00' },
        },
      },
    ]);
    const rows = await shop.rows('Control totals');
    expect(rows.map((row) => row['Difference'])).toEqual([0, 0, 0, 0, 0]);
    expect(rows.find((row) => row['Column'] === 'Total')).toMatchObject({
      'In the file': 513,
      Used: 291.5,
      Ignored: 221.5,
      Rejected: null,
      'In review': 70,
      Unreadable: 1,
      'First unreadable': 'line 3: #REF!',
    });
  });

  test('fail the close when a record is lost between the file and the workspace', async () => {
    const shop = await month({ orders: { 'oct.csv': [{ name: '#1' }] } });
    expect((await shop.close()).exit_code).toBe(0);
    const workspace = new DatabaseSync(join(shop.folder, '.tieout', 'workspace.db'));
    workspace.exec(
      "create trigger thief before insert on sale when new.key like '%/2' begin select raise(ignore); end",
    );
    workspace.close();
    await shop.change({ orders: { 'oct.csv': [{ name: '#1' }, { name: '#2' }] } });
    const figures = await shop.close();
    expect(figures.exit_code).toBe(1);
    const found = figures.exceptions.filter(({ code }) => code === 'control-total');
    expect(found.map(({ severity, file }) => `${severity} ${file}`)).toEqual(
      found.map(() => 'error oct.csv'),
    );
    expect(found.map(({ message }) => message)).toEqual([
      '2 rows were read, and 1 were used, ignored or rejected',
      'Subtotal comes to 200.00 in the file, and to 100.00 over the rows that were used, ignored or rejected',
      'Taxes comes to 21.50 in the file, and to 10.75 over the rows that were used, ignored or rejected',
      'Total comes to 221.50 in the file, and to 110.75 over the rows that were used, ignored or rejected',
    ]);
    const checks = await shop.rows('Checks');
    const failed = checks.filter((row) => row['Result'] === 'FAIL').map((row) => row['Check']);
    expect(failed).toEqual(expect.arrayContaining(['C01', 'I01', 'I02']));
  });
});
