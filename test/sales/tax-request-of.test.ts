import { describe, expect, test } from 'vitest';
import { TaxRequest } from '../../src/contract/tax-request.ts';
import { canonicalJson, type Json } from '../../src/kernel/json.ts';
import { money, price } from '../../src/kernel/money.ts';
import { requestText, taxRequestOf } from '../../src/sales/service-records.ts';
import { LINE, refundOf, SHIP_FROM, saleOf } from './sale-of.ts';

describe('the question what tax a sale should have carried', () => {
  test('names both places, the shipping, the lines, and the day whose law applies', () => {
    expect(taxRequestOf(saleOf(), SHIP_FROM)).toEqual({
      from_country: 'US',
      from_zip: '95814',
      from_state: 'CA',
      from_city: 'Sacramento',
      from_street: '1201 K Street',
      to_country: 'US',
      to_zip: '90012',
      to_state: 'CA',
      to_city: 'Los Angeles',
      to_street: '200 N Spring St',
      shipping: '10.00',
      line_items: [
        { id: '1', quantity: 2, unit_price: '50.00', discount: '0.00', product_tax_code: '20010' },
      ],
      calculation_date: '2026-10-31',
    });
  });

  test('is the same for an order and its refund', () => {
    expect(taxRequestOf(refundOf(saleOf()), SHIP_FROM)).toEqual(taxRequestOf(saleOf(), SHIP_FROM));
  });

  test('is one that the service accepts', () => {
    expect(TaxRequest.safeParse(taxRequestOf(saleOf(), SHIP_FROM)).success).toBe(true);
    expect(TaxRequest.safeParse(taxRequestOf(saleOf({ lines: [] }), SHIP_FROM)).success).toBe(true);
  });

  test.for([
    [{ exemptionType: 'wholesale' }, { exemption_type: 'wholesale' }, 'the exemption is told'],
    [{ customerId: 'c-7' }, { customer_id: 'c-7' }, 'and the customer'],
    [
      { lines: [] },
      { line_items: [{ id: '1', quantity: 1, unit_price: '100.00' }] },
      'without lines the goods are one, without the shipping',
    ],
    [
      { lines: [{ ...LINE, unitPrice: price(123_456), discount: price(12_345) }] },
      { line_items: [expect.objectContaining({ unit_price: '12.3456', discount: '1.2345' })] },
      'prices keep their four places',
    ],
    [{ shipping: money(0) }, { shipping: '0.00' }, 'no shipping is zero'],
  ] as const)('with %j has %j: %s', ([changes, fields]) => {
    expect(taxRequestOf(saleOf(changes), SHIP_FROM)).toMatchObject(fields);
  });

  test.for([
    [{}],
    [{ lines: [] }],
    [{ exemptionType: 'wholesale', customerId: 'c"7' }],
    [{ lines: [{ ...LINE, taxCode: null }, LINE] }],
    [{ shipTo: { ...saleOf().shipTo, city: 'Cañon "City"\u2028', street: '' } }],
  ] as const)('with %j is written as canonical JSON', ([changes]) => {
    const request = taxRequestOf(saleOf(changes), SHIP_FROM);
    expect(requestText(request)).toBe(canonicalJson(request as Json));
  });

  test('leaves out the category of a line that has none', () => {
    const request = taxRequestOf(saleOf({ lines: [{ ...LINE, taxCode: null }] }), SHIP_FROM);
    expect(request.line_items?.[0]).not.toHaveProperty('product_tax_code');
  });
});
