import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sale } from '../../../src/close/sales/sale.ts';
import {
  type ContentList,
  contentText,
  type PositionList,
  positionText,
  saleOfLists,
} from '../../../src/close/sales/sale-text.ts';

const text = fc.string({ unit: 'binary' });
const place = fc.record({ country: text, state: text, zip: text, city: text, street: text });
const line = fc.record({
  id: text,
  sku: text,
  description: text,
  quantity: fc.integer(),
  unitPrice: fc.integer(),
  discount: fc.integer(),
  taxCode: fc.option(text),
});
const remark = fc.record(
  { code: text, message: text, column: text, holds: fc.constant(true) },
  { requiredKeys: ['code', 'message'] },
);
const taxLine = fc.record({
  name: text,
  rate: fc.option(fc.integer()),
  amount: fc.integer(),
  kind: fc.option(text),
  place: text,
});
const before = fc.record({ shipping: fc.integer(), goods: fc.array(fc.integer()), salesTax: fc.integer() });
const part = fc.record(
  {
    amount: fc.integer(),
    shipping: fc.integer(),
    lines: fc.array(line, { maxLength: 3 }),
    salesTax: fc.integer(),
    taxLines: fc.array(taxLine, { maxLength: 3 }),
    positions: fc.array(fc.nat()),
    before,
  },
  { requiredKeys: ['amount', 'shipping', 'lines', 'salesTax', 'positions'] },
);
const fields = fc.record({
  key: text,
  channel: text,
  kind: fc.constantFrom('order', 'refund'),
  id: text,
  reference: fc.option(text),
  instant: fc.integer(),
  businessDate: text,
  taxDate: text,
  shipTo: place,
  currency: text,
  amount: fc.integer(),
  shipping: fc.integer(),
  salesTax: fc.integer(),
  marketplaceTax: fc.integer(),
  taxLines: fc.array(taxLine, { maxLength: 3 }),
  exemptionType: fc.option(text),
  customerId: fc.option(text),
  lines: fc.array(line, { maxLength: 3 }),
  notSold: fc.integer(),
  partOf: part,
  orderUtcDate: text,
  stateFees: fc.array(taxLine, { minLength: 1, maxLength: 2 }),
  inPerson: fc.constant(true),
  outcome: fc.constantFrom('accepted', 'warning', 'review'),
  findings: fc.array(remark, { maxLength: 3 }),
  origin: fc.record(
    { file: text, line: fc.nat(), record: text, store: text, report: text, uniqueId: text },
    { requiredKeys: ['file', 'line', 'record'] },
  ),
  rows: fc.nat(),
});
const optional = fc.subarray<keyof Sale>(['notSold', 'partOf', 'orderUtcDate', 'stateFees', 'inPerson']);

test('a sale is read from its text as it was written, whatever order its fields came in', () => {
  fc.assert(
    fc.property(fields, optional, (all, absent) => {
      const kept = Object.entries(all).filter(([name]) => !absent.includes(name as keyof Sale));
      // Plain objects, whatever prototypes they were made with.
      const sale = JSON.parse(JSON.stringify(Object.fromEntries(kept))) as Sale;
      const reversed = Object.fromEntries(Object.entries(sale).reverse()) as typeof sale;
      const content = contentText(sale);
      expect(contentText(reversed)).toBe(content);
      const lists = [
        JSON.parse(content) as ContentList,
        JSON.parse(positionText(sale)) as PositionList,
      ] as const;
      expect(saleOfLists(sale, ...lists)).toStrictEqual(sale);
    }),
  );
});
