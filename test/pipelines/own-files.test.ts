import { expect, test } from 'vitest';
import { decide } from '../support/decisions.ts';
import { month } from '../support/month.ts';

test.for([['orders.csv'], ['*.csv']])(
  'answers and filings beside the exports are none: %s',
  async (files) => {
    const shop = await month({ orders: [{ name: '#1' }], channel: { files } });
    await shop.write('filings.csv', 'period,return,filed on,confirmation\n2026-09,CA,2026-10-03,C-1\n');
    await decide(shop, []);
    expect((await shop.close()).exceptions).toEqual([]);
  },
);
