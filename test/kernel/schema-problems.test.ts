import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { problemTexts, schemaProblems } from '../../src/kernel/schema-problems.ts';

const Amount: z.ZodType = z.lazy(() =>
  z.union([z.string(), z.strictObject({ orZero: Amount }), z.strictObject({ sum: z.array(Amount) })]),
);
const Form = z.strictObject({
  shape: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('row') }),
    z.strictObject({ kind: z.literal('line'), key: z.string() }),
  ]),
  map: z.strictObject({ shipping: Amount, total: Amount.optional() }),
});

const sound = { shape: { kind: 'row' }, map: { shipping: 'Freight' } };
const problemsOf = (changed: object): readonly string[] =>
  problemTexts(schemaProblems(Form, Form.safeParse({ ...sound, ...changed }).error?.issues ?? []));

describe('what is wrong with data', () => {
  test.for([
    ['nothing', {}, []],
    ['a part that is not there', { map: undefined }, ['map: is missing']],
    ['one of several forms that is not there', { map: {} }, ['map.shipping: is missing']],
    [
      'none of several forms',
      { map: { shipping: { orNull: 'Freight' } } },
      ['map.shipping: must be a text or { orZero } or { sum }'],
    ],
    [
      'a mistake inside the one form that is meant',
      { map: { shipping: { orZero: { sum: ['Freight', { add: 1 }] } } } },
      ['map.shipping.orZero.sum[1]: must be a text or { orZero } or { sum }'],
    ],
    ['an unknown kind', { shape: { kind: 'rows' } }, ['shape.kind: must be "row" or "line"']],
    [
      'a misspelt key',
      { map: { shiping: 'Freight', shipping: 'Freight' } },
      ['map: unknown key "shiping"; did you mean "shipping"?'],
    ],
    [
      'a key like none that there is',
      { map: { colour: 'red', shipping: 'Freight' } },
      ['map: unknown key "colour"; it may be shipping, total'],
    ],
  ] as const)('%s', ([, changed, problems]) => expect(problemsOf(changed)).toEqual(problems));
});
