import { describe, expect, test } from 'vitest';
import { OAKLAND, type Order, type Place } from '../support/shop-exports.ts';
import { closed, dollars, LIBERAL, sold, taxAt } from './gap-month.ts';

const AMOUNTS = [4_999, 7_301, 12_345, 20_001, 33_330, 41_009, 5_555, 8_642, 9_999, 15_015];

const codesOf = ({ figures }: Awaited<ReturnType<typeof closed>>) => figures.reasons.map(({ code }) => code);

const line = (name: string, rate: number, cents: number) => [name, dollars(taxAt(cents, rate))] as const;

describe('a rate of a place that the tax content lacks', () => {
  test('is a gap where the sales of the place agree on it, and one cause', async () => {
    const found = await closed(
      AMOUNTS.map((cents, index) => sold(index, LIBERAL, cents, taxAt(cents, 11_800))),
    );
    expect(codesOf(found)).toEqual(['R27']);
    expect(found.figures.clusters).toMatchObject([
      { code: 'R27', part: 'gap', records: 10, effect: '83.85' },
    ]);
    expect(found.figures.clusters[0]?.message).toMatch(
      /^Liberal: Tieout has 6.5%, the shop charged 11.8% on 10 sales\./,
    );
    expect(found.figures.calculations['questions']).toBe(0);
  });

  test('is a gap where a tax line states it', async () => {
    const cents = 7_500;
    const lines = [line('Kansas State Tax 6.5%', 6_500, cents), line('Liberal City Tax 3.07%', 3_070, cents)];
    const found = await closed([sold(0, LIBERAL, cents, 718, lines)]);
    expect(
      found.sales
        .flatMap(({ reconciled }) => reconciled.reasons)
        .map(({ code, amount, proof }) => `${code} ${amount} ${proof}`)
        .sort(),
    ).toEqual([
      'R26 230 recomputed with “Liberal City Tax” at 3.07%, of which the tax content has no rate: 7.18',
    ]);
    expect(found.figures.calculations['questions']).toBe(0);
  });

  test('is one line where a place was charged at two rates, of which one is right at most', async () => {
    const linesOf = (city: number, cents: number) => [
      line('Kansas State Tax 6.5%', 6_500, cents),
      line(`Liberal City Tax ${city / 1_000}%`, city, cents),
    ];
    const found = await closed([
      sold(0, LIBERAL, 10_000, 957, linesOf(3_070, 10_000)),
      sold(1, LIBERAL, 20_000, 2_014, linesOf(3_570, 20_000)),
    ]);
    expect(found.figures.readiness.reasons.map(({ what, effect }) => [what, effect])).toEqual([
      [
        'Liberal: Tieout has 6.5%, the shop charged 9.57% and 10.07% on 2 sales: at most one of these rates is right. Its line for a rate file: `KS,city,Liberal local tax,,2026-10-01,175,Liberal,,shop`.',
        '10.21',
      ],
    ]);
  });

  test('is not claimed beyond what all local taxes of a place come to', async () => {
    const lines = (rate: string) => [
      ['Kansas State Tax', '6.50'] as const,
      [`Liberal City Tax${rate}`, '30.70'] as const,
    ];
    const unstated = await closed([sold(0, LIBERAL, 10_000, 3_720, lines(''))]);
    expect(codesOf(unstated)).toEqual(['R99']);
    expect(codesOf(await closed([sold(0, LIBERAL, 10_000, 3_720, lines(' 30.7%'))]))).toEqual(['R02']);
    const most = ['Liberal City Tax', '8.00'] as const;
    const [state] = lines('');
    expect(codesOf(await closed([sold(0, LIBERAL, 10_000, 1_450, state && [state, most])]))).toEqual(['R26']);
  });
});

const KISMET = { ...LIBERAL, city: 'Kismet', zip: '67859' };
const [NASHVILLE, LAWRENCE, ADDISON] = [
  { city: 'Nashville', zip: '37201', state: 'TN' },
  { city: 'Lawrence', zip: '66044', state: 'KS' },
  { city: 'Addison', zip: '75001', state: 'TX' },
];

/** A sale with one line of tax, which has a name and a rate. */
const withLine = (to: Place, name: string, rate: number, cents = 10_000): Order =>
  sold(0, to, cents, taxAt(cents, rate), [line(`${name} ${rate / 1_000}%`, rate, cents)]);

/** Each with the reason that its variance has. */
const ONE_LINE: readonly (readonly [what: string, reason: string, order: Order])[] = [
  ['groceries taxed like others', 'R05', { ...withLine(NASHVILLE, 'Tennessee Tax', 9_750), sku: 'GRO-1' }],
  ['a price above the cap of a tax', 'R21', withLine(NASHVILLE, 'Tennessee Tax', 9_750, 500_000)],
  ['a higher rate than the content, with a gap, has', 'R26', withLine(LAWRENCE, 'Lawrence Tax', 9_350)],
  ['a lower rate, also with a gap', 'R02', withLine(LAWRENCE, 'Lawrence Tax', 7_000)],
  ['a line that does not say of whom it is', 'R26', withLine(ADDISON, 'Sales tax', 8_250)],
  ['a line that is called that of the state', 'R26', withLine(ADDISON, 'Texas State Tax', 8_250)],
  ['no line where few sales agree', 'R99', sold(0, KISMET, 10_000, 1_183)],
  ...Array.from({ length: 12 }, (): [string, string, Order] => [
    'one cart again and again, whose shipping was taxed',
    'R06',
    { ...sold(0, OAKLAND, 6_749, 832, [['California Tax', '8.32']]), shipping: '9.95' },
  ]),
];

test('tax in one line is a gap or the seller’s, sale by sale', async () => {
  const { sales } = await closed(
    ONE_LINE.map(([, , order], index) => ({ ...order, name: `#${index + 1}` })),
    {
      registrations: ['CA', 'KS', 'TN', 'TX'].map((state) => ({ state, since: '2019-01-01' })),
      categories: [{ sku: 'GRO-*', code: '40030' }],
    },
  );
  const found = ONE_LINE.map(([what], index) => {
    const own = sales.find(({ sale }) => sale.origin.record === `#${index + 1}`);
    return [what, own?.reconciled.reasons.map(({ code }) => code).join()];
  });
  expect(found).toEqual(ONE_LINE.map(([what, reason]) => [what, reason]));
});
