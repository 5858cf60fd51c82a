import { expect, test } from 'vitest';
import { preparedMonth } from '../support/prepared-month.ts';
import { forgeFile, inWorkbook, SHEETS } from './tamperings/pack.ts';

const closedMonth = preparedMonth({ orders: [{ name: '#1' }, { name: '#2', price: '20.00' }] }, (shop) =>
  shop.told(0, 'close', '2026-10'),
);

test.for([
  ['another value', '<v>10.75</v>', '<v>90.75</v>', /: found 90\.75.*, expected 10\.75/],
  [
    'one cell more',
    /<\/row>/,
    '<c r="XFD1"><v>90</v></c></row>',
    /cell XFD1: found 90, expected an empty cell$/,
  ],
] as const)(
  'a workbook with %s, whose digests were made to fit, is named with sheet and cell',
  async ([, from, to, where]) => {
    const shop = await closedMonth();
    await forgeFile(shop.out(), 'variance.xlsx', inWorkbook(SHEETS, from, to));
    const problem = (await shop.verify()).join();
    expect(problem).toMatch(/^variance\.xlsx, sheet [\w -]+, cell [A-Z]+\d+: /);
    expect(problem).toMatch(where);
  },
);
