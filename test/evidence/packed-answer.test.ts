import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { type PackedAnswer, packedAnswer, unpackedAnswer } from '../../src/evidence/entry.ts';
import { answerTo, anyOrder } from '../judge/repaid-orders.ts';

type Node = Record<string, unknown>;
const objectsIn = (value: unknown): readonly Node[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : [value as Node]), ...Object.values(value).flatMap(objectsIn)]
    : [];

const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

test('an answer comes back as it was, also with any one field changed, gone or more', () => {
  const what = fc.constantFrom('nothing', 'change', 'remove', 'add');
  fc.assert(
    fc.property(anyOrder, fc.nat(), fc.nat(), what, (sale, one, two, change) => {
      const result: TaxResult = asJson(answerTo(sale));
      const objects = objectsIn(result);
      const object = objects[one % objects.length] ?? {};
      const names = Object.keys(object).filter((name) => typeof object[name] !== 'object');
      const name = names[two % names.length] ?? '';
      const value = object[name];
      if (change === 'add') object['more'] = 1;
      if (change === 'remove') delete object[name];
      if (change === 'change') object[name] = typeof value === 'number' ? value + 1 : `${value}x`;
      const packed: PackedAnswer = asJson(packedAnswer(result));
      expect(unpackedAnswer(packed)).toEqual(result);
      if (change === 'nothing') expect(JSON.stringify(packed.us)).not.toContain('taxable');
    }),
    { numRuns: 300 },
  );
});
