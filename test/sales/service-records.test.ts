import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TaxRequest } from '../../src/contract/tax-request.ts';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { CreateTransaction } from '../../src/contract/transaction.ts';
import { wireSent } from '../../src/contract/wire.ts';
import { digestOf, type Json } from '../../src/kernel/json.ts';
import { type Money, money } from '../../src/kernel/money.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { requestDigest, taxRequestOf, transactionOf } from '../../src/sales/service-records.ts';
import { anyOrderAmount } from '../support/arbitraries.ts';
import { anySale, LINE, refundOf, SHIP_FROM, saleOf } from './sale-of.ts';

/** As much of a calculation as spreading the collected tax looks at. */
const expectationOf = (lineTaxes: readonly Money[], shippingTax: Money | undefined): TaxResult =>
  ({
    breakdown: {
      line_items: lineTaxes.map((tax_collectable) => ({ tax_collectable })),
      ...(shippingTax !== undefined && { shipping: { tax_collectable: shippingTax } }),
    },
  }) as unknown as TaxResult;

const bodyOf = (sale: Sale, expectation?: TaxResult) =>
  JSON.parse(JSON.stringify(wireSent(transactionOf(sale, 'shopify', SHIP_FROM, expectation)))) as ReturnType<
    typeof wireSent
  >;
const recorded = (sale: Sale, expectation?: TaxResult) => {
  const schema = sale.kind === 'refund' ? CreateTransaction : CreateTransaction;
  return schema.parse(bodyOf(sale, expectation));
};
const lineTaxes = (sale: Sale, expectation?: TaxResult) =>
  bodyOf(sale, expectation).line_items?.map(({ sales_tax }) => sales_tax);

describe('the body that records an order', () => {
  test('has its amounts and lines as they are', () => {
    expect(bodyOf(saleOf())).toEqual({
      transaction_id: '1001',
      transaction_date: '2026-11-01T06:30:00.000Z',
      provider: 'shopify',
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
      amount: '110.00',
      shipping: '10.00',
      sales_tax: '9.50',
      line_items: [
        {
          id: '1',
          quantity: 2,
          product_identifier: 'APP-1',
          description: 'Field jacket',
          product_tax_code: '20010',
          unit_price: '50.00',
          discount: '0.00',
          sales_tax: '9.50',
        },
      ],
    });
  });

  test('of a refund has them below zero, but for the discount, and names the order', () => {
    const refund = refundOf(saleOf({ lines: [{ ...LINE, discount: LINE.unitPrice }] }));
    expect(bodyOf(refund)).toMatchObject({
      transaction_id: '1001-refund',
      transaction_reference_id: '1001',
      transaction_date: '2026-11-03T12:00:00.000Z',
      amount: '-110.00',
      shipping: '-10.00',
      sales_tax: '-9.50',
      line_items: [{ quantity: 2, unit_price: '-50.00', discount: '50.00', sales_tax: '-9.50' }],
    });
  });

  test.for([
    [{ exemptionType: 'wholesale', salesTax: money(0) }, 'exemption_type', 'wholesale'],
    [{ exemptionType: 'wholesale' }, 'exemption_type', 'non_exempt'],
    [{ exemptionType: 'marketplace' }, 'exemption_type', 'marketplace'],
    [{ customerId: 'c-7' }, 'customer_id', 'c-7'],
  ] as const)('with %j tells %s, and leaves it out where there is none', ([changes, field, value]) => {
    expect(bodyOf(saleOf(changes))).toHaveProperty(field, value);
    expect(bodyOf(saleOf())).not.toHaveProperty(field);
  });
});

test('the amounts of a recorded sale are its lines after discounts and its shipping', () => {
  fc.assert(
    fc.property(anySale, (sale) => {
      const body = recorded(sale);
      const sign = sale.kind === 'refund' ? -1 : 1;
      const goods = (body.line_items ?? []).reduce(
        (total, { unit_price = 0, quantity = 0, discount = 0 }) =>
          total + (sign * unit_price * quantity - discount) * sign,
        0,
      );
      expect(goods + body.shipping).toBe(body.amount);
    }),
  );
});

const twoLines = saleOf({ lines: [LINE, { ...LINE, id: '2', quantity: 1 }], salesTax: money(900) });

describe('the collected tax by line', () => {
  test.for([
    [[600, 300], undefined, ['6.00', '3.00'], 'in proportion to what each should have carried'],
    [[500, 300], 100, ['5.00', '3.00'], 'without the share of a taxed shipping'],
    [[0, 0], undefined, ['6.00', '3.00'], 'by what the lines came to, when nothing should have been carried'],
  ] as const)('with %j expected on lines and %i on shipping is %j: %s', ([lines, shipping, taxes]) => {
    const expectation = expectationOf(
      lines.map((cents) => money(cents)),
      shipping === undefined ? undefined : money(shipping),
    );
    expect(lineTaxes(twoLines, expectation)).toEqual(taxes);
  });

  test('adds up to the tax of the sale, with the share of its shipping', () => {
    const anyExpected = fc.record({
      lines: fc.array(anyOrderAmount, { minLength: 8, maxLength: 8 }),
      shipping: fc.option(anyOrderAmount, { nil: undefined }),
    });
    fc.assert(
      fc.property(anySale, anyExpected, (sale, { lines, shipping }) => {
        const expected = lines.slice(0, sale.lines.length);
        const body = recorded(sale, expectationOf(expected, shipping));
        const onLines = (body.line_items ?? []).reduce((total, { sales_tax = 0 }) => total + sales_tax, 0);
        const onShipping = body.sales_tax - onLines;
        // Between nothing and all of it, on the side of zero where the sale is.
        expect(onShipping * body.sales_tax).toBeGreaterThanOrEqual(0);
        expect(Math.abs(onShipping)).toBeLessThanOrEqual(Math.abs(body.sales_tax));
        if (shipping === undefined || shipping === 0) expect(onShipping).toBe(0);
      }),
    );
  });
});

describe('the question what tax a sale should have carried', () => {
  test('is the same for an order and its refund, accepted by the service, and written as canonical JSON', () => {
    fc.assert(
      fc.property(anySale, fc.boolean(), (sale, hasLines) => {
        const asked = taxRequestOf(hasLines ? sale : { ...sale, lines: [], customerId: 'c"7' }, SHIP_FROM);
        expect(TaxRequest.safeParse(asked).success).toBe(true);
        expect(requestDigest('s', asked)).toBe(digestOf({ request: asked, service: 's' } as Json));
      }),
    );
    expect(taxRequestOf(refundOf(saleOf()), SHIP_FROM)).toEqual(taxRequestOf(saleOf(), SHIP_FROM));
  });

  test('has one line for goods without lines, without the shipping', () => {
    expect(taxRequestOf(saleOf({ lines: [] }), SHIP_FROM)).toMatchObject({
      line_items: [{ id: '1', quantity: 1, unit_price: '100.00' }],
    });
  });
});
