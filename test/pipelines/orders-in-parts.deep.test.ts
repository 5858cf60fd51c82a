import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { shippedProfiles } from '../../src/sales/detect-profile.ts';
import { errorsOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

type Cells = Readonly<Record<string, string>>;

const columnsOf = (profile: string): readonly string[] =>
  shippedProfiles().find(({ id }) => id === profile)?.columns ?? [];

/** A row of order 112-1, whose tax the seller collects unless the cells say otherwise. */
const row = (day: string, type: 'Order' | 'Refund', sku: string, price: number, cells: Cells = {}): Cells => {
  const sign = type === 'Refund' ? -1 : 1;
  const tax = Math.round(price * 10.75) / 100;
  return {
    'date/time': `${day}, 2026 1:00:00 PM PDT`,
    'settlement id': '1',
    type,
    'order id': '112-1',
    sku,
    quantity: '1',
    marketplace: 'amazon.com',
    'order city': 'Oakland',
    'order state': 'CA',
    'order postal': '94607',
    'product sales': String(sign * price),
    'product sales tax': String(sign * tax),
    total: String(sign * (price + tax)),
    ...cells,
  };
};

const AMAZON = { name: 'amazon', profile: 'amazon.date-range', files: ['exports'] };

const amazonWith = async (files: Readonly<Record<string, readonly Cells[]>>, channel: object = AMAZON) => {
  const shop = await month({ channel: { ...channel } });
  const put = (name: string, rows: readonly Cells[], profile = AMAZON.profile): Promise<void> => {
    const columns = columnsOf(profile);
    return shop.write(
      `exports/${name}`,
      stringify([[...columns], ...rows.map((cells) => columns.map((column) => cells[column] ?? ''))]),
    );
  };
  for (const [name, rows] of Object.entries(files)) await put(name, rows);
  /** The part of the order that each refund of October gives back. */
  const refunds = async (): Promise<readonly string[]> => {
    const sales = await shop.sales<{ sale: { kind: string; id: string; reference: string } }>();
    return sales.flatMap(({ sale }) => (sale.kind === 'refund' ? [`${sale.id} of ${sale.reference}`] : []));
  };
  return { ...shop, put, refunds };
};

describe('a refund of an order in parts', () => {
  test.for([
    ['the goods', '50.00 -5.38', row('Oct 2', 'Order', 'B', 50), row('Oct 12', 'Refund', 'B', 50)],
    ['the price', '18.00 -1.94', row('Oct 2', 'Order', 'A', 18), row('Oct 12', 'Refund', 'A', 18)],
    ['the amount', '40.00 -4.30', row('Oct 2', 'Order', 'A', 40), row('Oct 12', 'Refund', 'A', 40)],
  ] as const)(
    'is one of the part that has %s, also when the first is filed',
    async ([, figures, later, back]) => {
      const shop = await amazonWith({ 'a.csv': [row('Sep 20', 'Order', 'A', 20)] });
      await shop.close('2026-09');
      await shop.told(0, 'lock', '2026-09', '--as', 'B. Nguyen');
      await shop.put('b.csv', [later, back]);
      expect(errorsOf(await shop.close())).toEqual([]);
      expect(await shop.refunds()).toEqual(['112-1-refund of 112-1-S2']);
      expect(await shop.records('amazon')).toContain(`refund 112-1-refund -${figures}`);
      expect(await shop.verify()).toEqual([]);
    },
  );

  test('waits if it may be one of several, until a person says which', async () => {
    const sold = [row('Oct 2', 'Order', 'A', 20), row('Oct 4', 'Order', 'A', 20)];
    const back = row('Oct 9', 'Refund', 'A', 20);
    const shop = await amazonWith({ 'a.csv': [...sold, back] });
    const waiting = await shop.close();
    expect(errorsOf(waiting)).toEqual(['refund-part-unknown 112-1']);
    expect(waiting.exceptions.find(({ code }) => code === 'refund-part-unknown')).toMatchObject({
      effect: '-2.15',
      message:
        'the refund may be of 112-1 of 2026-10-02 or of 112-1-S2 of 2026-10-04, and the export does not say which; posted, it counts for the first of them',
    });

    const decided = '2026-10 refund-part-unknown of 112-1-refund,112-1,Post,Asked the customer.';
    await shop.write('decided.csv', `key,records,decision,why\n${decided}\n`);
    await shop.change({ settings: { decisions: ['decided.csv'] } });
    expect(await shop.close()).toMatchObject({ exit_code: 0, totals: { gross: '20.00', collected: '2.15' } });
    expect(await shop.refunds()).toEqual(['112-1-refund of 112-1']);

    await shop.change({ settings: {} });
    await shop.put('a.csv', [...sold, { ...back, 'order id': '112-1-S2' }]);
    // The refund is of the later part now, and nobody stands for its record any more: that is asked.
    expect(errorsOf(await shop.close())).toEqual(['R20 112-1-refund']);
    expect(await shop.refunds()).toContain('112-1-S2-refund of 112-1-S2');
  });
});

describe('two kinds of report of one marketplace in one channel', () => {
  /** The sale of 112-1 as the sales tax report has it: with the day on which it was posted. */
  const posted = (type: 'Shipment' | 'Refund', day: string, price: string, tax: string): Cells => ({
    Order_ID: '112-1',
    Posted_Date: `2026-10-${day}+00:00`,
    Transaction_Item_ID: 'I1',
    SKU: 'A',
    Transaction_Type: type,
    Tax_Collection_Model: 'Seller',
    Quantity: '1',
    Currency: 'USD',
    TaxExclusive_Selling_Price: price,
    Financial_Component: 'Price',
    Ship_To_City: 'OAKLAND',
    Ship_To_State: 'CALIFORNIA',
    Ship_To_Country: 'US',
    Ship_To_Postal_Code: '94607',
    Jurisdiction_Level: 'State',
    Jurisdiction_Name: 'CALIFORNIA',
    Tax_Amount: tax,
  });
  const SALE = row('Oct 2', 'Order', 'A', 20);
  const BACK = row('Oct 12', 'Refund', 'A', 20);
  const TOLD_AGAIN = [posted('Shipment', '03', '20', '2.15'), posted('Refund', '13', '-20', '-2.15')];
  const ONCE = ['order 112-1 20.00 2.15', 'refund 112-1-refund -20.00 -2.15'];

  test.for([
    ['behind', 'z.csv', []],
    // The refund that is recorded is of another day than the one that counts now: a refund is never changed, so that is asked.
    ['before', '0.csv', ['number-in-use 112-1']],
  ] as const)('count no sale twice: the other one comes %s the first', async ([, name, asked]) => {
    const shop = await amazonWith({ 'a.csv': [SALE, BACK] }, { name: 'amazon', files: ['exports'] });
    expect(errorsOf(await shop.close())).toEqual([]);
    await shop.put(name, TOLD_AGAIN, 'amazon.sales-tax');
    expect(errorsOf(await shop.close())).toEqual([...asked, 'other-report 112-1', 'other-report 112-1']);
    expect(await shop.records('amazon')).toEqual(ONCE);
    expect(await shop.verify()).toEqual([]);

    await shop.change({ channel: AMAZON });
    expect(errorsOf(await shop.close())).toEqual(asked);
    expect(await shop.records('amazon')).toEqual(ONCE);
  });
});
