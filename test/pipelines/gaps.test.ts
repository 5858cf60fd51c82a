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

  test('is one line where a place was charged at two rates, of which one is right at most', async () => {
    const linesOf = (city: number, cents: number) => [
      line('Colorado State Tax 2.9%', 2_900, cents),
      line(`Colorado Springs City Tax ${city / 1_000}%`, city, cents),
    ];
    const found = await closed([
      sold(0, SPRINGS, 10_000, 597, linesOf(3_070, 10_000)),
      sold(1, SPRINGS, 20_000, 1_294, linesOf(3_570, 20_000)),
    ]);
    expect(found.figures.readiness.reasons.map(({ what, effect }) => [what, effect])).toEqual([
      [
        'Colorado Springs: Tieout has 2.9%, the shop charged 5.97% and 6.47% on 2 sales: at most one of these rates is right.',
        '10.21',
      ],
    ]);
    const drafted = await found.shop.told<{ rates: unknown[]; unresolved: { why: string }[] }>(
      1,
      'content',
      'suggest',
      '2026-10',
      '--output',
      `${found.shop.folder}/draft.csv`,
    );
    expect(drafted.rates).toEqual([]);
    expect(drafted.unresolved.map(({ why }) => why)).toEqual(
      Array(2).fill('the shop charged several rates at a time: 3.07% on 1, 3.57% on 1'),
    );
  });

  test('is an amount where the lines state none, and no rate is said to be charged', async () => {
    const lines = [
      ['Colorado State Tax', '2.90'],
      ['Colorado Springs City Tax', '3.07'],
    ] as const;
    const found = await closed([sold(0, SPRINGS, 10_000, 597, lines)]);
    expect(codesOf(found)).toEqual(['R26']);
    expect(found.figures.readiness.reasons.map(({ what }) => what)).toEqual([
      'Colorado Springs: Tieout has 2.9%, the shop charged 3.07 more, by tax lines without a rate, on 1 sale.',
    ]);
  });

  test('is none where the city is a county itself, whatever the shop calls its tax', async () => {
    const saintLouis = { city: 'St. Louis', zip: '63101', state: 'MO' };
    const taxed = (city: number) => [
      line('Missouri State Tax 4.225%', 4_225, 10_000),
      line(`St. Louis City Tax ${city / 1_000}%`, city, 10_000),
    ];
    const settings = { registrations: [{ state: 'MO', since: '2019-01-01' }] };
    const found = await closed([sold(0, saintLouis, 10_000, 1_013, taxed(5_900))], settings);
    expect(
      found.sales.flatMap(({ reconciled }) => reconciled.reasons.map(({ code, amount }) => [code, amount])),
    ).toEqual([['R02', 45]]);
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
