import { describe, expect, test } from 'vitest';
import { recordLines, trialsIn } from '../samples/exports/list-sample.ts';
import { folderOf } from './files/on-disk.ts';

/** Sold orders of Etsy, of which some come to 4.00 more than their parts. */
const soldOrders = (failing: number, all: number): string => {
  const header =
    'Sale Date,Order ID,Number of Items,Ship State,Ship Zipcode,Ship Country,Currency,Order Value,Discount Amount,Shipping,Sales Tax,Order Total,Card Processing Fees,Order Net';
  const rows = Array.from(
    { length: all },
    (_, at) =>
      `10/05/26,${at + 1},1,CA,94610,United States,USD,30.00,0.00,5.00,0,${at < failing ? '42.23,1.00,38.00' : '38.23,1.00,34.00'}`,
  );
  return `${[header, ...rows].join('\n')}\n`;
};

describe('a file whose records do not add up as its profile says', () => {
  test.for([
    [9, 20],
    [10, 1000],
    [20, 2000],
  ] as const)('is read, and %i of %i records are held', async ([failing, all]) => {
    const folder = await folderOf({ 'sold.csv': soldOrders(failing, all) });
    const lines = recordLines(await trialsIn(folder, ['sold.csv']));
    expect(lines.filter((line) => line.includes('review total-differs'))).toHaveLength(failing);
    expect(lines).toHaveLength(all);
  });

  test.for([
    [10, 999],
    [21, 3000],
  ] as const)('is refused where %i of %i records fail, with both sums', async ([failing, all]) => {
    const folder = await folderOf({ 'sold.csv': soldOrders(failing, all) });
    expect(await trialsIn(folder, ['sold.csv'])).toMatchObject([
      {
        error: {
          code: 'E_EXPORT_AMOUNTS',
          message: expect.stringMatching(/ is 39.00, and .* comes to 35.00/),
          next_step: expect.stringContaining('a profile of your own'),
        },
      },
    ]);
  });
});
