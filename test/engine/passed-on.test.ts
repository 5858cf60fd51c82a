import { expect, test } from 'vitest';
import { grossedUp } from '../../src/engine/figures.ts';
import { orderTo, taxOf } from './tax-of.ts';

/** The rates that Hawaii lets a seller charge: without a surcharge of the county, and with two. */
test.each([
  { rates: [400_000, 0, 0, 0], passedOn: 416_660 },
  { rates: [400_000, 25_000, 0, 0], passedOn: 443_860 },
  { rates: [400_000, 50_000, 0, 0], passedOn: 471_200 },
  { rates: [0, 0, 0, 0], passedOn: 0 },
])('$rates are passed on as $passedOn ten-millionths', ({ rates, passedOn }) => {
  const raised = grossedUp(rates);
  expect(raised.reduce((sum, rate) => sum + rate, 0)).toBe(passedOn);
  expect(raised.map((rate) => rate === 0)).toEqual(rates.map((rate) => rate === 0));
});

test('an explanation says that the tax is levied on itself', () => {
  const { explanation } = taxOf(orderTo('HI', '96813', 'Honolulu', { explain: true }));
  expect(explanation?.rules?.filter(({ rule }) => rule === 'passed-on HI')).toHaveLength(1);
  const elsewhere = taxOf(orderTo('NM', '87102', 'Albuquerque', { explain: true }));
  expect(elsewhere.explanation?.rules?.filter(({ rule }) => rule.startsWith('passed-on'))).toEqual([]);
});
