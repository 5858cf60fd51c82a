import { describe, expect, test } from 'vitest';
import { rateLinesOf } from '../support/rate-lines.ts';
import { LAS_VEGAS, OAKLAND, type Order } from '../support/shop-exports.ts';
import { centsOf, closed, dollars, LIBERAL, sold, taxAt } from './gap-month.ts';

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

  test('is an amount where the lines state none, and no rate is said to be charged', async () => {
    const lines = [
      ['Kansas State Tax', '6.50'],
      ['Liberal City Tax', '3.07'],
    ] as const;
    const found = await closed([sold(0, LIBERAL, 10_000, 957, lines)]);
    expect(codesOf(found)).toEqual(['R26']);
    expect(found.figures.readiness.reasons.map(({ what }) => what)).toEqual([
      'Liberal: Tieout has 6.5%, the shop charged 3.07 more, by tax lines without a rate, on 1 sale. Its line for a rate file: `KS,city,Liberal local tax,,2026-10-01,175,Liberal,,shop`.',
    ]);
  });

  test('is none where the city is a county itself, whatever the shop calls its tax', async () => {
    const saintLouis = { city: 'St. Louis', zip: '63101', state: 'MO' };
    const taxed = (city: number) => [
      line('Missouri State Tax 4.225%', 4_225, 10_000),
      line(`St. Louis City Tax ${city / 1_000}%`, city, 10_000),
    ];
    const settings = { registrations: [{ state: 'MO', since: '2019-01-01' }] };
    // The rates of the state are known until the end of March.
    const order = { ...sold(0, saintLouis, 10_000, 1_013, taxed(5_900)), at: '2026-03-05' };
    const { shop } = await closed([order], settings);
    expect((await shop.close('2026-03')).reasons).toMatchObject([{ code: 'R02', over: '0.45' }]);
  });

  test('is that of a district where the state’s districts are missing, though the city’s rate is known', async () => {
    const kansasCity = { city: 'Kansas City', zip: '64106', state: 'MO' };
    const settings = { registrations: [{ state: 'MO', since: '2019-01-01' }] };
    const lines = [
      line('Missouri State Tax 4.225%', 4_225, 10_000),
      line('Jackson County Tax 1.5%', 1_500, 10_000),
      line('Kansas City Tax 3.25%', 3_250, 10_000),
      line('Main Street CID 1%', 1_000, 10_000),
    ];
    const order = { ...sold(0, kansasCity, 10_000, 998, lines), at: '2026-03-05' };
    const { shop } = await closed([order, { ...order, name: '#2', at: '2026-10-05' }], settings);
    expect((await shop.close('2026-03')).reasons).toMatchObject([{ code: 'R26', over: '1.00' }]);
    expect((await shop.close('2026-10')).reasons).toMatchObject([{ code: 'R26', over: '1.00' }]);
  });

  test('is not claimed beyond what all local taxes of a place come to', async () => {
    const lines = (rate: string) => [
      ['Kansas State Tax', '6.50'] as const,
      [`Liberal City Tax${rate}`, '30.70'] as const,
    ];
    const unstated = await closed([sold(0, LIBERAL, 10_000, 3_720, lines(''))]);
    expect(codesOf(unstated)).toEqual(['R99']);
    expect(unstated.figures.exceptions.map(({ message }) => message).join()).toContain(
      '; its local tax is above 10%, too much to be taken for a rate that Tieout lacks',
    );
    expect(codesOf(await closed([sold(0, LIBERAL, 10_000, 3_720, lines(' 30.7%'))]))).toEqual(['R02']);
    const most = ['Liberal City Tax', '8.00'] as const;
    const [state] = lines('');
    expect(codesOf(await closed([sold(0, LIBERAL, 10_000, 1_450, state && [state, most])]))).toEqual(['R26']);
  });

  test('is not claimed of fewer than eight sales', async () => {
    const few = AMOUNTS.slice(0, 7).map((cents, index) => sold(index, LIBERAL, cents, taxAt(cents, 11_830)));
    expect(codesOf(await closed(few))).toEqual(['R99']);
  });
});

test('sales that round the tax of each line agree on the rate of a place, too', async () => {
  const orders = AMOUNTS.map((cents, index) => {
    const prices = [1, 2, 3, 4].map((part) => Math.floor((cents * part) / 10) + part * (index + 3));
    const tax = prices.reduce((total, each) => total + taxAt(each, 9_570), 0);
    const lines = prices.map((each, at) => ({ sku: `SKU-${at}`, quantity: 1, price: dollars(each) }));
    return { ...sold(index, LIBERAL, 0, tax), lines };
  });
  const byOrder = orders.filter(({ lines, tax }) => {
    const cents = lines.reduce((total, { price }) => total + centsOf(price), 0);
    return taxAt(cents, 9_570) === centsOf(tax);
  });
  expect(byOrder.length).toBeLessThan(8);
  const found = await closed(orders);
  expect(found.figures.reasons.find(({ code }) => code === 'R27')).toMatchObject({ sales: 10 });
  expect(new Set(codesOf(found))).toEqual(new Set(['R27', 'R01']));
});

describe('in a place of Texas that the content lacks', () => {
  const ADDISON = { city: 'Addison', zip: '75001', state: 'TX' };
  const settings = { registrations: [{ state: 'TX', since: '2019-01-01' }] };

  test('the right rate is not called that of the next ZIP code', async () => {
    const found = await closed([sold(0, ADDISON, 10_000, 825), sold(1, ADDISON, 23_710, 1_956)], settings);
    expect(codesOf(found)).toEqual(['R99']);
    expect(found.figures.exit_code).toBe(1);
    const [{ message } = { message: '' }] = found.figures.exceptions;
    expect(message).toContain('Tieout may lack a rate here');
  });

  test.for(['Addison City Tax 8.25%', 'Sales tax 8.25%', 'Texas State Tax 8.25%'])(
    'one line with all of the tax is a gap, whatever its name says: %s',
    async (name) => {
      const orders = [10_000, 20_000].map((cents, index) =>
        sold(index, ADDISON, cents, taxAt(cents, 8_250), [line(name, 8_250, cents)]),
      );
      const found = await closed(orders, settings);
      expect(found.figures.reasons.map(({ code, over }) => [code, over])).toEqual([['R26', '6.00']]);
      expect(rateLinesOf(found.figures).map((each) => each.split(',')[3])).toEqual(['0.02']);
    },
  );
});

test('one line with all of the tax is the seller’s where groceries are taxed like other goods', async () => {
  const nashville = { city: 'Nashville', zip: '37201', state: 'TN' };
  const settings = {
    registrations: [{ state: 'TN', since: '2019-01-01' }],
    categories: [{ sku: 'GRO-*', code: '40030' }],
  };
  const groceries = (name: string) => ({
    ...sold(0, nashville, 10_000, 975, [line(name, 9_750, 10_000)]),
    sku: 'GRO-1',
  });
  expect(codesOf(await closed([groceries('Tennessee Tax 9.75%')], settings))).toEqual(['R05']);
});

test('one line with all of the tax is not rounding where a price is capped', async () => {
  const nashville = { city: 'Nashville', zip: '37201', state: 'TN' };
  const settings = { registrations: [{ state: 'TN', since: '2019-01-01' }] };
  const orders = [200_000, 500_000].map((cents, index) =>
    sold(index, nashville, cents, taxAt(cents, 9_750), [line('Tennessee Tax 9.75%', 9_750, cents)]),
  );
  expect(codesOf(await closed(orders, settings))).toEqual(['R21']);
});

test('one line with all of the tax is the seller’s where its rate is lower', async () => {
  const lawrence = { city: 'Lawrence', zip: '66044', state: 'KS' };
  const lines = (rate: number) => [line(`Lawrence Tax ${rate / 1_000}%`, rate, 10_000)];
  expect(codesOf(await closed([sold(0, lawrence, 10_000, 935, lines(9_350))]))).toEqual(['R26']);
  expect(codesOf(await closed([sold(0, lawrence, 10_000, 700, lines(7_000))]))).toEqual(['R02']);
});

test('a lower rate than that of the content is the seller’s, also where the content has a gap', async () => {
  const low = AMOUNTS.map((cents, index) => sold(index, LIBERAL, cents, taxAt(cents, 5_600)));
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

test('few sales that state no tax by jurisdiction stay unexplained, and the hint names the missing rate', async () => {
  const found = await closed([sold(0, LIBERAL, 10_000, 957), sold(1, LIBERAL, 7_500, 718)]);
  expect(codesOf(found)).toEqual(['R99']);
  const hints = found.figures.exceptions.flatMap(({ code, message }) => (code === 'R99' ? [message] : []));
  expect(hints).toHaveLength(2);
  for (const hint of hints) expect(hint).toContain('; Tieout may lack a rate here (');
  expect(await found.shop.verify()).toEqual([]);
  const registrations = [{ state: 'NV', since: '2019-01-01' }];
  const complete = await closed([sold(0, LAS_VEGAS, 10_000, 1_234)], { registrations });
  expect(codesOf(complete)).toEqual(['R99']);
  expect(complete.figures.exceptions.map(({ message }) => message).join()).not.toContain('may lack');
});

test('a line that a shop calls VAT is a line like any other', async () => {
  const cents = 10_000;
  const lines = [line('Kansas State Tax 6.5%', 6_500, cents), line('VAT 3.07%', 3_070, cents)];
  const found = await closed([sold(0, LIBERAL, cents, 957, lines)]);
  expect(codesOf(found)).toEqual(['R26']);
});

test('one cart that is sold again and again implies no rate where shipping that was taxed explains it', async () => {
  const cart: Order = {
    ...sold(0, OAKLAND, 6_749, 832, [['California Tax', '8.32']]),
    shipping: '9.95',
  };
  const found = await closed(Array.from({ length: 12 }, (_, index) => ({ ...cart, name: `#${index + 1}` })));
  expect(codesOf(found)).toEqual(['R06']);
});
