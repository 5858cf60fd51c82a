import { describe, expect, test } from 'vitest';
import { OAKLAND } from '../support/shop-exports.ts';
import { centsOf, closed, dollars, SPRINGS, sold, taxAt } from './gap-month.ts';

const AMOUNTS = [4_999, 7_301, 12_345, 20_001, 33_330, 41_009, 5_555, 8_642, 9_999, 15_015];

const codesOf = ({ figures }: Awaited<ReturnType<typeof closed>>) => figures.reasons.map(({ code }) => code);

const line = (name: string, rate: number, cents: number) => [name, dollars(taxAt(cents, rate))] as const;

describe('a rate of a place that the tax content lacks', () => {
  test('is a gap where the sales of the place agree on it, and one cause', async () => {
    const found = await closed(
      AMOUNTS.map((cents, index) => sold(index, SPRINGS, cents, taxAt(cents, 8_200))),
    );
    expect(codesOf(found)).toEqual(['R27']);
    expect(found.figures.clusters).toMatchObject([
      { code: 'R27', part: 'gap', records: 10, effect: '83.85' },
    ]);
    expect(found.figures.clusters[0]?.message).toMatch(
      /^Colorado Springs: shop 8.2%, Tieout 2.9%, 10 sales, 83\.85; import/,
    );
    expect(await found.shop.rows('Implied rates')).toMatchObject([
      { 'Place or state': 'Colorado Springs', Rate: 0.082, Sales: 10, Verdict: 'gap' },
    ]);
    expect(found.figures.calculations['questions']).toBe(0);
  });

  test('is a gap where a tax line of one sale states it, and for the others of the place', async () => {
    const cents = 7_500;
    const lines = [
      line('Colorado State Tax 2.9%', 2_900, cents),
      line('Colorado Springs City Tax 3.07%', 3_070, cents),
    ];
    const found = await closed([sold(0, SPRINGS, cents, 448, lines), sold(1, SPRINGS, 10_000, 597)]);
    expect(
      found.sales
        .flatMap(({ reconciled }) => reconciled.reasons)
        .map(({ code, amount, proof }) => `${code} ${amount} ${proof}`)
        .sort(),
    ).toEqual([
      'R26 230 recomputed with “Colorado Springs City Tax” at 3.07%, of which the tax content has no rate: 4.48',
      'R26 307 recomputed at 5.97% in all, as tax lines of other sales of Colorado Springs have it: 5.97',
    ]);
    expect(found.figures.calculations['questions']).toBe(0);
  });

  test('is not claimed of fewer than eight sales', async () => {
    const few = AMOUNTS.slice(0, 7).map((cents, index) => sold(index, SPRINGS, cents, taxAt(cents, 8_230)));
    expect(codesOf(await closed(few))).toEqual(['R99']);
  });
});

test('a lower rate than that of the content is the seller’s, also where the content has a gap', async () => {
  const low = AMOUNTS.map((cents, index) => sold(index, SPRINGS, cents, taxAt(cents, 2_000)));
  const { totals } = (await closed(low)).figures;
  expect(totals['tieout_gaps']).toBe('0.00');
  expect(centsOf(totals['variance'])).toBeLessThan(0);
});

test('no more questions are asked than the configuration allows, and a close says how many variances are left', async () => {
  const odd = AMOUNTS.map((cents, index) =>
    sold(index, OAKLAND, cents, taxAt(cents, 10_750) + 100 + 37 * index),
  );
  const { calculations } = (await closed(odd, { service: { maxQuestions: 1 } })).figures;
  expect(calculations).toMatchObject({ questions: 1, questionsMax: 1 });
  expect(calculations['cutShort']).toBeGreaterThan(0);
});
