import { describe, expect, test } from 'vitest';
import { money } from '../../src/kernel/money.ts';
import type { Sale, TaxLine } from '../../src/sales/sale.ts';
import { feesApart, feesWithin } from '../../src/sales/settle-amounts.ts';
import { refundOf, saleOf } from './sale-of.ts';

const lineOf = (name: string, cents: number, kind: TaxLine['kind'] = null): TaxLine => ({
  name,
  rate: null,
  amount: money(cents),
  kind,
  place: '',
});
const state = lineOf('Minnesota State Tax', 1_375, 'state');
const city = lineOf('Duluth City Tax', 400, 'city');
const fee = lineOf('Retail Delivery Fee', 50);

const isFee = (name: string, code: string): boolean => name === fee.name && code === 'MN';

const charged = (salesTax: number, changes: Partial<Sale> = {}): Sale => {
  const sale = saleOf();
  const shipTo = { ...sale.shipTo, state: 'MN' };
  return { ...sale, shipTo, salesTax: money(salesTax), taxLines: [state, fee, city], ...changes };
};

/** The sale without the fee among its lines of tax. */
const apart = { taxLines: [state, city], stateFees: [fee] };

describe('a fee of the state that a shop charges as a line of tax', () => {
  test.for([
    [charged(1_825, { notSold: money(500) }), { ...apart, salesTax: 1_775, notSold: 550 }, 'is no tax'],
    [charged(1_775), { ...apart, salesTax: 1_775, notSold: 50 }, 'was none where the others add up to it'],
    [refundOf(charged(1_825)), { ...apart, salesTax: 1_775 }, 'of a refund is given back beside its tax'],
    [
      charged(0, { marketplaceTax: money(1_825), exemptionType: 'marketplace' }),
      { ...apart, salesTax: 0, marketplaceTax: 1_775 },
      'is the marketplace’s where it collects the tax',
    ],
    [charged(20), charged(20), 'stays where the tax is less'],
    [charged(1_825, { shipTo: saleOf().shipTo }), { salesTax: 1_825 }, 'stays where it is in another state'],
  ] as const)('$2', ([sale, expected]) => {
    const read = feesApart(sale, isFee);
    expect(read).toMatchObject(expected);
    expect(sale.kind === 'refund' && 'notSold' in read).toBe(false);
  });

  test('is tax again for the records of its shop', () => {
    const sale = charged(1_825, { notSold: money(500) });
    expect(feesWithin(feesApart(sale, isFee))).toEqual({ ...sale, taxLines: [state, city, fee] });
  });
});
