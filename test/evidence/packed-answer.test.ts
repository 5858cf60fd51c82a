import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadContent } from '../../src/content/load-content.ts';
import { accept } from '../../src/contract/accept.ts';
import { TaxRequest } from '../../src/contract/tax-request.ts';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { calculateTax } from '../../src/engine/calculate-tax.ts';
import { type PackedAnswer, packedAnswer, unpackedAnswer } from '../../src/evidence/packed-answer.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { taxRequestOf } from '../../src/sales/service-records.ts';

const content = loadContent();
const OAKLAND = { country: 'US', state: 'CA', zip: '94607', city: 'Oakland', street: '4502 Larch Pl' };
const PLACES = [
  OAKLAND,
  { country: 'US', state: 'NY', zip: '14604', city: 'Rochester', street: '' },
  { country: 'US', state: 'TX', zip: '77002', city: 'Houston', street: '' },
  { country: 'US', state: 'OR', zip: '97204', city: 'Portland', street: '' },
];

const line = fc.record({
  unitPrice: fc.integer({ min: 1, max: 50_000 }).map((cents) => cents * 100),
  quantity: fc.integer({ min: 1, max: 9 }),
  taxCode: fc.constantFrom(null, '20010', '40030'),
});
const sales = fc
  .record({
    shipTo: fc.constantFrom(...PLACES),
    shipping: fc.integer({ min: 0, max: 2_000 }),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  })
  .map(({ shipTo, shipping, lines }) => {
    const own = lines.map((each, index) => ({
      ...each,
      id: String(index + 1),
      sku: '',
      description: '',
      discount: 0,
    }));
    const goods = lines.reduce((sum, each) => sum + Math.round((each.unitPrice * each.quantity) / 100), 0);
    return {
      ...{ shipTo, shipping, lines: own, amount: goods + shipping, exemptionType: null, customerId: null },
      taxDate: '2026-10-05',
    } as unknown as Sale;
  });

/** With the day, as the service answers it. */
const answerTo = (sale: Sale, hasNexus: boolean): TaxResult => ({
  ...calculateTax({
    request: accept(TaxRequest, {
      ...taxRequestOf(sale, OAKLAND),
      nexus_addresses: hasNexus ? [{ id: '1', ...sale.shipTo }] : [],
    }),
    seller: { nexus: [] },
    content,
    asOf: calendarDate('2026-10-31'),
  }),
  calculation_date: sale.taxDate,
});

const asRead = (result: TaxResult, sale: Sale): TaxResult =>
  unpackedAnswer(JSON.parse(JSON.stringify(packedAnswer(result, sale))) as PackedAnswer, sale);
const plain = (result: TaxResult): TaxResult => JSON.parse(JSON.stringify(result)) as TaxResult;

test('an answer of the engine comes back as it was, and is packed where there is nexus', () => {
  fc.assert(
    fc.property(sales, fc.boolean(), (sale, hasNexus) => {
      const result = plain(answerTo(sale, hasNexus));
      expect(asRead(result, sale)).toEqual(result);
      expect('whole' in packedAnswer(result, sale)).toBe(result.breakdown === undefined);
    }),
    { numRuns: 100 },
  );
});

type Node = Record<string, unknown>;
const objectsIn = (value: unknown): readonly Node[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : [value as Node]), ...Object.values(value).flatMap(objectsIn)]
    : [];

test('an answer with any one field changed, gone or more comes back as it was', () => {
  fc.assert(
    fc.property(
      sales,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('change', 'remove', 'add'),
      (sale, one, two, what) => {
        const result = plain(answerTo(sale, true));
        const objects = objectsIn(result);
        const object = objects[one % objects.length] ?? {};
        const names = Object.keys(object).filter((name) => typeof object[name] !== 'object');
        const name = names[two % names.length] ?? '';
        const value = object[name];
        if (what === 'add') object['more'] = 1;
        else if (what === 'remove') delete object[name];
        else object[name] = typeof value === 'number' ? value + 1 : `${value}x`;
        expect(asRead(result, sale)).toEqual(result);
      },
    ),
    { numRuns: 1_000 },
  );
});
