import { expect, test } from 'vitest';
import { compareAnswers } from '../../../src/close/answer-differences/compare-answers.ts';
import { ServiceRefusal } from '../../../src/contract/refusal.ts';
import { TaxResult } from '../../../src/contract/tax-result.ts';

const answer = (changes: object = {}): TaxResult =>
  TaxResult.parse({
    taxable_amount: 100,
    amount_to_collect: 8,
    rate: 0.08,
    has_nexus: true,
    freight_taxable: false,
    tax_source: 'destination',
    jurisdictions: { country: 'US', state: 'RI', city: 'Providence' },
    ...changes,
  });

test.for([
  [{}, [], 'the same answer'],
  [{ jurisdictions: { country: 'US', state: 'RI', city: 'PROVIDENCE' } }, [], 'names in other letters'],
  [{ rate: '0.080' }, [], 'a figure written in another way'],
  [{ amount_to_collect: 8.01 }, ['amount_to_collect 8.00 8.01'], 'a cent'],
  [
    { jurisdictions: { country: 'US', state: 'RI' } },
    ['jurisdictions.city PROVIDENCE -'],
    'a city that one of them does not name',
  ],
  [
    { has_nexus: false, jurisdictions: undefined, amount_to_collect: 0 },
    ['amount_to_collect 8.00 0.00', 'has_nexus true false'],
    'no nexus, which leaves nothing to be said of jurisdictions',
  ],
] as const)('%j differs in %j (%s)', ([changes, differences]) => {
  const compared = compareAnswers(answer(), answer(changes));
  expect((compared?.fields ?? []).map(({ field, own, other }) => `${field} ${own} ${other}`)).toEqual(
    differences,
  );
});

test('a refusal is the one difference, and two equal refusals are none', () => {
  const refusal = () => new ServiceRefusal(400, 'to_zip is missing');
  expect(compareAnswers(answer(), refusal())).toMatchObject({
    fields: [{ field: 'refused', own: '-', other: expect.stringContaining('to_zip is missing') }],
    tax: 0,
  });
  expect(compareAnswers(refusal(), refusal())).toBeUndefined();
});

test('of two explanations each side is left with what only it says', () => {
  const explanation = (rate: string) => ({
    as_of: '2026-10-10',
    content: 'x',
    nexus: 'account',
    jurisdictions: [
      { level: 'state', name: 'RI', code: '44', rate, from: null, source: 's', confidence: 'official' },
    ],
    flags: [],
  });
  const compared = compareAnswers(
    answer({ explanation: explanation('0.08') }),
    answer({ amount_to_collect: 7, explanation: explanation('0.07') }),
  );
  expect(compared).toMatchObject({
    tax: -100,
    ownReasons: ['state RI 0.08 (s)'],
    otherReasons: ['state RI 0.07 (s)'],
  });
});
