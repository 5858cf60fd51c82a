import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const ORLANDO = { city: 'Orlando', zip: '32801', state: 'FL' };

/** An order whose tax lines state the rate of the county; 0.5 % is due. */
const order = (
  name: string,
  [price, shipping]: readonly [string, string],
  county: string,
  [state, local, tax]: readonly [string, string, string],
): Order => ({
  ...{ name, to: ORLANDO, price, shipping, tax },
  taxLines: [
    ['Florida State Tax 6%', state],
    [`Orange County Tax ${county}%`, local],
  ],
});

test('a wrong rate that the tax lines state is not taken for another reading of the law on shipping', async () => {
  const { close, rows, verify } = await month({
    orders: [
      // 6.5 % of 70.00 is 4.55, too.
      order('#1', ['65.00', '5.00'], '1', ['3.90', '0.65', '4.55']),
      order('#2', ['50.00', '10.00'], '0.5', ['3.60', '0.30', '3.90']),
      order('#3', ['50.00', '10.00'], '1', ['3.60', '0.60', '4.20']),
    ],
    settings: { registrations: ['CA', 'FL'].map((state) => ({ state, since: '2019-01-01' })) },
  });
  await close();
  expect((await rows('Detail')).map((row) => [row['Reason'], row['Second reason']])).toEqual([
    ['R02', null],
    ['R31', null],
    ['R31', 'R02'],
  ]);
  const causes = (await rows('Decide')).filter((row) => row['Key'] !== null);
  expect(causes.map((row) => [row['Cause'], row['Effect on tax']])).toEqual([
    ['Other reading of the law (R31)', 1.3],
    ['Rate differs (R02)', 0.62],
  ]);
  expect(await verify()).toEqual([]);
});
