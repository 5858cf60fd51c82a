import { describe, expect, test } from 'vitest';
import { type Calculation, calculations, outcomeOf } from './calculations.ts';

/** Raised whenever the content gets better, never lowered. */
const RIGHT_AT_LEAST = 930;

const outcomes = calculations.map((calculation) => ({ calculation, ...outcomeOf(calculation) }));

const placeOf = ({ to_country, to_state, to_zip, to_city }: Calculation) =>
  [to_country, to_state, to_zip, to_city].filter((part) => part !== '').join(' ');

const saleOf = ({ product_tax_code, use, unit_price, quantity, shipping }: Calculation) =>
  [
    product_tax_code || 'goods',
    use,
    quantity === '1' ? unit_price : `${quantity} x ${unit_price}`,
    shipping === '0' ? '' : `and ${shipping} shipping`,
  ]
    .filter((part) => part !== '')
    .join(' ');

/** The wrong answers of one verdict, one a line. */
const misses = (verdict: 'flagged' | 'silent'): string =>
  outcomes
    .filter((outcome) => outcome.verdict === verdict)
    .map(
      ({ calculation: row, tax }) =>
        `${row.id}: ${placeOf(row)}, ${row.date}, ${saleOf(row)}: ${row.tax} is right, ${tax} was calculated (${row.why})\n`,
    )
    .join('');

const count = (verdict: 'right' | 'flagged' | 'silent') =>
  outcomes.filter((outcome) => outcome.verdict === verdict).length;

describe('calculations of a tax professional', () => {
  test('are at least 400, each with its own id, a reason and a source', () => {
    expect(calculations.length).toBeGreaterThanOrEqual(400);
    expect(new Set(calculations.map(({ id }) => id)).size).toBe(calculations.length);
    expect(calculations.filter(({ why, source }) => why === '' || source === '')).toEqual([]);
  });

  test('ask about every state and the District of Columbia, and about every country of the service', () => {
    const asked = new Set(calculations.map(({ to_country, to_state }) => `${to_country} ${to_state}`));
    expect([...asked].filter((region) => region.startsWith('US ')).length).toBeGreaterThanOrEqual(51);
    expect([...asked].filter((region) => region.startsWith('CA ')).length).toBe(13);
    expect(new Set(calculations.map(({ to_country }) => to_country)).size).toBe(31);
  });

  test('are wrong without a word only where this is known', async () => {
    await expect(misses('silent')).toMatchFileSnapshot('known-silent.txt');
  });

  test('are wrong with a doubt only where this is known', async () => {
    await expect(misses('flagged')).toMatchFileSnapshot('known-flagged.txt');
  });

  test('are right in the main', () => {
    expect(count('right')).toBeGreaterThanOrEqual(RIGHT_AT_LEAST);
  });
});
