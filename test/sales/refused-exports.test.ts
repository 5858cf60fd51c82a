import { describe, expect, test } from 'vitest';
import { trialsIn } from '../samples/exports/list-sample.ts';
import { folderOf } from './files/on-disk.ts';
import { recordLines } from './record-lines.ts';

const refusalOf = async (text: string, name = 'export.csv') => {
  const [trial] = await trialsIn(await folderOf({ [name]: text }), [name]);
  if (!trial || !('error' in trial)) return recordLines(trial ? [trial] : []).join('; ');
  return `${trial.error.code} ${trial.error.message.split(': ').at(-1)} ${trial.error.next_step}`;
};

/** Exports that cannot say what a state wants to know, in the forms in which they are handed in. */
describe('an export that says too little is known and refused, with what to export instead:', () => {
  test.for([
    [
      '\uFEFFbalance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,source_id,description\r\ntxn_1,2026-10-05 09:00:00,2026-10-07,usd,20.00,0.88,19.12,charge,ch_1,\r\n',
      'stripe.balance',
      'Stripe Tax',
      'the balance of Stripe',
    ],
    [
      'Transaction Date,Type,Order,Card Brand,Card Source,Payout Status,Payout Date,Available On,Amount,Fee,Net,Checkout,Payment Method Name,Presentment Amount,Presentment Currency,Currency\n2026-10-05 09:00:00 -0700,charge,#1,visa,online,paid,2026-10-07,,20.00,0.88,19.12,#1,card,20.00,USD,USD\n',
      'shopify.payments',
      'refundDates',
      'payment transactions of Shopify by themselves',
    ],
  ] as const)('%#, $3', async ([text, profile, advice]) => {
    const refusal = await refusalOf(text);
    expect(refusal).toContain('E_EXPORT_REFUSED');
    expect(refusal).toContain(profile);
    expect(refusal).toContain(advice);
  });
});

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
    const refusal = await refusalOf(soldOrders(failing, all));
    expect(refusal).toMatch(/^E_EXPORT_AMOUNTS .* is 39.00, and .* comes to 35.00/);
    expect(refusal).toContain('a profile of your own');
  });
});
