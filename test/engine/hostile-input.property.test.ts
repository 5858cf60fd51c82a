import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { accept } from '../../src/contract/accept.ts';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { TaxRequest } from '../../src/contract/tax-request.ts';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { wireTax } from '../../src/contract/wire.ts';
import { calculateTax } from '../../src/engine/calculate-tax.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { runs } from '../support/runs.ts';
import { defaultContent } from './content-with.ts';
import { orderTo } from './tax-of.ts';

const AS_OF = calendarDate('2026-10-31');

const calculate = (body: unknown) => {
  try {
    const request = accept(TaxRequest, body);
    const result = calculateTax({ request, seller: { nexus: [] }, content: defaultContent, asOf: AS_OF });
    return wireTax(result) as z.input<typeof TaxResult>;
  } catch (error) {
    if (error instanceof ServiceRefusal) return error;
    throw error;
  }
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, '', ' ', 'NaN', 'Infinity', '-0', '1e400', '0x10', '٣', '１２', '\u0000', '\u202e90002'],
    ...['🍕'.repeat(50), Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e308, -1e-308, 2 ** 53 + 2],
    ...[0.1 + 0.2, true, [], {}, [[[[]]]], { __proto__: null }, '__proto__', 'constructor', '99999', '20010'],
  ),
  fc.jsonValue(),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

const TEMPLATE = { ...orderTo('NY', '14604', 'Rochester'), calculation_date: '2026-10-31', explain: true };
const fields = [
  ...Object.keys(TEMPLATE),
  'from_street',
  'to_street',
  'amount',
  'customer_id',
  'exemption_type',
];
const oddLine = fc.record(
  {
    id: odd,
    quantity: odd,
    unit_price: odd,
    discount: odd,
    product_tax_code: odd,
  },
  { requiredKeys: [] },
);
const likelyLine = fc.record(
  {
    id: fc.string({ maxLength: 5 }),
    quantity: fc.integer({ min: 0, max: 2_000_000_000 }),
    unit_price: fc.oneof(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), fc.constant('19.99')),
    discount: fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
    product_tax_code: fc.constantFrom('20010', '40030', '99999', 'zzz', null),
  },
  { requiredKeys: [] },
);
const mutated = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...fields), odd, { maxKeys: 3 }),
    fc.option(fc.array(fc.oneof(oddLine, likelyLine), { maxLength: 5 }), { nil: undefined }),
  )
  .map(([changes, lines]) => ({ ...TEMPLATE, ...(lines && { line_items: lines }), ...changes }));

/** A sale as it may well come, so that results are met often and not by luck. */
const plausible = fc
  .array(
    fc.record({
      quantity: fc.integer({ min: 0, max: 1000 }),
      unit_price: fc.double({ noNaN: true, min: -10_000, max: 10_000 }),
      product_tax_code: fc.constantFrom('20010', '40030', '99999', 'zzz', null),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((lines) => ({ ...TEMPLATE, line_items: lines }));
const anything = fc.oneof(
  { weight: 7, arbitrary: mutated },
  { weight: 2, arbitrary: plausible },
  { weight: 1, arbitrary: odd },
);

describe('whatever is sent', () => {
  test('the answer is a refusal or a result that can be written', () => {
    let results = 0;
    fc.assert(
      fc.property(anything, (body) => {
        const answer = calculate(body);
        if (answer instanceof ServiceRefusal) {
          expect([400, 406, 422]).toContain(answer.status);
          return;
        }
        results += 1;
        expect(Number.isFinite(answer.amount_to_collect)).toBe(true);
      }),
      { numRuns: runs(5_000) },
    );
    expect(results).toBeGreaterThan(runs(1000));
  });

  test('a taxable sale with nexus never comes out as a wrong zero', () => {
    const likely = fc.record({
      city: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\u0000', '')),
      street: fc.string({ maxLength: 40 }),
      code: fc.oneof(fc.string({ maxLength: 8 }), fc.constant(null)),
      price: fc.integer({ min: 1, max: 100_000_000 }),
    });
    fc.assert(
      fc.property(likely, ({ city, street, code, price }) => {
        fc.pre(code?.trim() !== '99999');
        const lines = [{ unit_price: price, product_tax_code: code === '40030' ? null : code }];
        const answer = calculate({ ...TEMPLATE, to_city: city, to_street: street, line_items: lines });
        expect(answer).toMatchObject({ has_nexus: true });
        expect(answer instanceof ServiceRefusal ? 0 : answer.amount_to_collect).toBeGreaterThan(0);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test.for(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s is a word like any other',
    (word) => {
      const plain = calculate(TEMPLATE);
      const odd = calculate({
        ...TEMPLATE,
        to_city: word,
        to_street: `1 ${word}`,
        line_items: [{ id: word, unit_price: 100, product_tax_code: word }],
      });
      const collected = plain instanceof ServiceRefusal ? 0 : plain.amount_to_collect;
      expect(odd).toMatchObject({ amount_to_collect: collected });
    },
  );
});
