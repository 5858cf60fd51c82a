import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sale } from '../../../src/close/sales/sale.ts';
import { contentText } from '../../../src/close/sales/sale-text.ts';
import { canonicalJson } from '../../../src/kernel/digest.ts';
import { saleOf } from './sale-of.ts';

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
const remark = fc.record({ code: text, message: text, column: text }, { requiredKeys: ['code', 'message'] });
const taxLine = fc.record({
  name: text,
  rate: fc.option(fc.integer()),
  amount: fc.integer(),
  kind: fc.option(text),
  place: text,
});
const fields = fc.record({
  key: text,
  reference: fc.option(text),
  customerId: fc.option(text),
  amount: fc.integer(),
  shipTo: place,
  lines: fc.array(line, { maxLength: 3 }),
  findings: fc.array(remark, { maxLength: 3 }),
  taxLines: fc.array(taxLine, { maxLength: 3 }),
});

test('the text of a sale is its canonical JSON, whatever order its fields came in', () => {
  fc.assert(
    fc.property(fields, (some) => {
      const { origin: _origin, rows: _rows, ...content } = { ...saleOf(some as unknown as Sale) };
      const reversed = Object.fromEntries(Object.entries(content).reverse()) as typeof content;
      expect(contentText(reversed)).toBe(canonicalJson(content));
    }),
  );
});
