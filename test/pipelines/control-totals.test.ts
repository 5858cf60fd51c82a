import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('the control totals of a close of every outcome add up to the file, column by column', async () => {
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
        },
        Taxes: { all: '63.74', used: '31.49', ignored: '21.50', rejected: '10.75' },
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
  });
});
