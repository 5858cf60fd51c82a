import { expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';

/** A shop whose export has the times of a clock on the wall, without an offset. */
const wallShop = async (timeZone: string, times: readonly string[]): Promise<Month> => {
  const shop = await month({ channel: { name: 'site', files: ['wall.csv'] }, settings: { timeZone } });
  const orders = times.map(
    (time, index) => `o${index + 1},Order,${time},Oakland,CA,94607,US,0.00,100.00,10.75`,
  );
  const header =
    'order_id,transaction_type,completed_at,shiptocity,shiptostate,shiptozip,shiptocountrycode,shipping_amount,total_sale,sales_tax';
  await shop.write('wall.csv', `${[header, ...orders].join('\n')}\n`);
  return shop;
};

/** When each order was made, and the day it counts for, in the order of their ids, as the log of the evidence has it. */
const timesIn = (shop: Month, period: string): readonly string[] =>
  shop
    .log<{ readonly sale: LoggedSale }>('entries', period)
    .map(({ sale }) => sale)
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ instant, businessDate }) => `${new Date(instant).toISOString().slice(5, 16)} ${businessDate}`);

type LoggedSale = {
  readonly key: string;
  readonly instant: number;
  readonly businessDate: string;
};

const SPRING = ['2026-03-08 01:59:00', '2026-03-08 02:30:00', '2026-03-08 03:00:00', '2026-03-08 23:59:59'];
const AUTUMN = ['2026-11-01 00:00:00', '2026-11-01 01:30:00', '2026-11-01 01:30:00', '2026-11-01 02:00:00'];

test.for([
  ['America/New_York', '2026-03', SPRING, ['03-08T06:59', '03-08T07:30', '03-08T07:00', '03-09T03:59']],
  ['America/Los_Angeles', '2026-03', SPRING, ['03-08T09:59', '03-08T10:30', '03-08T10:00', '03-09T06:59']],
  ['America/New_York', '2026-11', AUTUMN, ['11-01T04:00', '11-01T05:30', '11-01T05:30', '11-01T07:00']],
  ['America/Los_Angeles', '2026-11', AUTUMN, ['11-01T07:00', '11-01T08:30', '11-01T08:30', '11-01T10:00']],
] as const)(
  'in %s a close of %s has every order of the day on which the clocks change',
  async ([zone, period, times, instants]) => {
    const shop = await wallShop(zone, times);
    const closed = await shop.close(period);
    const day = times[0]?.slice(0, 10);
    expect(timesIn(shop, period)).toEqual(instants.map((at) => `${at} ${day}`));
    expect(closed.submissions).toMatchObject({ created: times.length });
    expect(closed.states).toMatchObject([{ state: 'CA', orders: times.length }]);
    const again = await shop.close(period);
    expect(again.submissions).toMatchObject({ created: 0, updated: 0, unchanged: times.length });
    expect(again.states).toEqual(closed.states);
  },
);
