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

describe('a fee of the state that a shop charges as a line of tax', () => {
  test('is taken out of the tax, and paid beside the sale', () => {
    const sale = charged(1_825, { notSold: money(500) });
    const apart = feesApart(sale, isFee);
    expect(apart).toEqual({
      ...sale,
      salesTax: 1_775,
      taxLines: [state, city],
      stateFees: [fee],
      notSold: 550,
    });
    expect(feesWithin(apart)).toEqual({ ...sale, taxLines: [state, city, fee] });
  });

  test('leaves the tax as it is where only the other lines add up to it', () => {
    expect(feesApart(charged(1_775), isFee)).toMatchObject({
      salesTax: 1_775,
      stateFees: [fee],
      notSold: 50,
    });
  });

  test('is that of the marketplace where it collects the tax', () => {
    const sold = { marketplaceTax: money(1_825), exemptionType: 'marketplace' } as const;
    expect(feesApart(charged(0, sold), isFee)).toMatchObject({ salesTax: 0, marketplaceTax: 1_775 });
  });

  test('of a refund is given back beside its tax', () => {
    const refund = feesApart(refundOf(charged(1_825)), isFee);
    expect(refund).toMatchObject({ salesTax: 1_775, stateFees: [fee] });
    expect(refund).not.toHaveProperty('notSold');
  });

  test('is left where it is in another state, and where the tax is less', () => {
    const elsewhere = { ...charged(1_825), shipTo: saleOf().shipTo };
    expect(feesApart(elsewhere, isFee)).toBe(elsewhere);
    const less = charged(20);
    expect(feesApart(less, isFee)).toBe(less);
  });
});
