import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frequency } from '../../src/filing/registration.ts';
import { useTaxNote } from '../../src/filing/return-notes.ts';
import { amountOf, amountOfLine, checkPasses, type TaxReturn } from '../../src/filing/tax-return.ts';
import { add, formatMoney, money, subtract, sum } from '../../src/kernel/money.ts';
import { rowsOf } from '../support/rows.ts';
import { dollars, figuresOf, law, type TestFigures, type TestPlace } from './figures-of.ts';
import { fill, sold } from './filed.ts';

const amounts = ({ lines }: TaxReturn): Record<string, string> =>
  Object.fromEntries(lines.map(({ line, amount }) => [line.line, formatMoney(amount)]));

/** Reads lines with their amounts. */
const linesIn = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/,\s+/).map((line) => line.split(': ')));

const place = (county: string, city: string, taxable: string, rates: TestPlace['rates']) => ({
  ...{ county, city, taxable, rates },
});

/**
 * Returns with what they are of: the form, its state, the rates at the place, and what else is given; below it the lines with
 * their amounts, and why they are so.
 */
const CASES = `
CDTFA-401-A | CA | state: 0.0625, county: 0.01, special: 0.015 | collected: 880.04, period: 2026-Q3, frequency: quarterly
1: 11801.00, 3: 11801.00, 11: 1800.00, 12: 10001.00, 13: 600.00, 14: 25.00, 15: 100.00, 16: 150.00,
17: 875.00, 18: 5.00, 19: 880.00, 23: 880.00
whole dollars; the 7.25 % of the state divided as the form divides it; 5.00 collected above 875.04

01-114 | TX | state: 0.0625, city: 0.01, special: 0.01 | collected: 820.00
1: 11801.00, 2: 10000.00, 4: 10000.00, 5: 0.00, 8a: 625.00, 8b: 200.00, 8x: 0.00, 8: 825.00,
11: 4.13, 13: 820.87, 15: 820.87
items 1 to 3 in whole dollars, tax in cents; 825.00 × 0.005 = 4.125; too little collected changes nothing

01-114 | TX | state: 0.0625, city: 0.01 | there: yes, purchases: 50.00
4: 10050.00, 5: 10050.00
a seller in the state enters the amount of item 4 in item 5; another leaves item 5 to the list supplement

DR-15 | FL | state: 0.06, county: 0.01 |
A.1: 10800.65, A.2: 800.25, A.3: 10000.40, A.4: 700.02, 5: 700.02, 10: 700.02, 11: 17.50,
14: 682.52, 15b: 0.00, 15c: 10000.40, 15d: 100.00
marketplace sales left out; 2.5 % of 700.02 = 17.5005

ST-100 | NY | state: 0.04, city: 0.045, special: 0.00375 | period: 2026-09..2026-11, frequency: quarterly
1: 11801.00, 3C: 10000.00, 3F: 887.50, 4: 887.54, 5: 44.38, 7: 843.16
amounts in whole dollars, and 10,000 × 8.875 % = 887.50 in cents; 887.54 was collected; 5 % of it

PA-3 | PA | state: 0.06, county: 0.01 | collected: 705.00, credits: 50.00
1 state: 10800.65, 2 state: 10000.40, 3 state: 605.00, 2 local: 10000.40, 3 local: 100.00,
Total: 705.00, 4: 7.05, Credits: 50.00, Due: 647.95
the greater of computed and collected; 1 % is less than 25.00

ST-1 | IL | state: 0.0625, county: 0.01 |
1: 11801.00, 2: 1800.00, 3: 10001.00, 4b-7b: 725.00, 9: 725.00, 10: 13.00, 11: 712.00, Due: 712.00
1.75 % of 725 = 12.6875

UST-1 | OH | state: 0.0575, county: 0.0075 | prepaid: 100.00
1: 10800.65, 2: 800.25, 3: 10000.40, 5: 10000.40, 6: 650.02, 7: 4.88, 9: 645.14, 10: 100.00,
11: 545.14, 12: 0.00
0.75 % of line 6 = 4.87515; accelerated payments used up

ST-3 | GA | state: 0.04, county: 0.03 |
Gross: 10800.65, Exempt: 800.25, Taxable: 10000.40, 000: 400.02, Part B: 700.03, Total: 700.03,
Compensation: 21.00, Due: 679.03
400.016 and 300.012 rounded each; 3 % up to 3,000

E-500 | NC | state: 0.0475, county: 0.02 | collected: 680.00
1: 10800.65, 2: 300.00, 3: 500.00, 4 state: 475.02, 5-12 county: 200.01, 13: 675.03, 14: 4.97,
15: 680.00, 21: 680.00
line 3 in whole dollars; excess collections in line 14

5080 | MI | state: 0.06 |
5095: 800.25, 1: 10800.65, 1T: 10000.40, 2: 600.02, 4: 600.02, 5: 6.00, 6: 594.02, 9: 594.02
half a percent of two thirds of 600.02 is 2.00; the least is 6.00

5081 | MI | state: 0.06 | period: 2026, frequency: annual
Gross: 10800.65, Tax: 600.02, Discount: 0.00, Due: 600.02
no discount is known for the year

ST-51 | NJ | state: 0.06625 | collected: 670.00
Computed: 662.53, 1: 670.00, 3: 670.00
the greater of computed and collected

ST-50 | NJ | state: 0.06625 | period: 2026-Q4, frequency: quarterly, prepaid: 400.00
1: 10800.65, 2: 800.25, 3: 10000.40, 4: 662.53, 6: 662.53, 7: 400.00, 9: 262.53
the months of the quarter taken off in line 7

ST-1 | VA | state: 0.043, county: 0.01, special: 0.007 |
1: 10800.65, 3: 800.25, 4: 10000.40, 6: 430.02, 7: 430.02, 8: 0.00, 10a-d: 70.00, Local: 100.00,
Due: 600.02
a discount that was not seen in a source is not claimed

Combined Excise Return | WA | state: 0.065, city: 0.0405 |
2: 11800.65, 1 gross: 11800.65, 1 ded: 1800.25, 1 taxable: 10000.40, 1 tax: 650.03,
45 taxable: 10000.40, 45 tax: 405.02, Due: 1055.05
marketplace sales reported and deducted; local by location

TPT-2 | AZ | state: 0.056, county: 0.007, city: 0.02 |
Gross: 10800.65, Taxable: 10000.40, Tax: 830.03, Total: 830.03, Credit: 6.72, Due: 823.31
the credit is 1.2 % of the state’s 560.02 only

ST-9 | MA | state: 0.0625 | purchases: 100.00
1: 10800.65, 3: 800.25, 4: 10000.40, 5: 100.00, 6: 10100.40, 7: 631.28, 9: 631.28
use tax on own purchases: 10,100.40 × 6.25 % = 631.275

53-1 | MO | state: 0.04225, county: 0.01 |
Gross: 10800.65, Adjustments: -800.25, Taxable: 10000.40, 1: 522.52, 2: 10.45, 5: 512.07, 8: 512.07
2 % of 522.52 = 10.4504

ST-12 | WI | state: 0.05, county: 0.005 | returns: 200.00
1: 12000.65, 2: 300.00, 3: 500.25, 4: 200.00, 5: 1000.00, 6: 2000.25, 7: 10000.40, 8: 500.02,
9: 50.00, Total: 550.02, Due: 550.02
returns have a line of their own: sales are reported before them

DR 0100 | CO | state: 0.029, city: 0.0515, special: 0.011 |
1: 10800.65, 5: 10000.40, 7 state: 290.01, 7 local: 625.02, Total: 915.03, Fee: 0.00, 18: 915.03
no service fee since 2026

DR 0100 | CO | state: 0.029, city: 0.0515, special: 0.011 | period: 2025-10
Fee: 11.60, 18: 903.43
4 % of the state’s 290.01 in 2025

e-Services | MN | state: 0.06875, county: 0.005 |
Gross receipts: 11801.00, General: 10000.00, General tax: 688.00, Local tax: 50.00, Due: 738.00
687.50 in whole dollars

General | UT | state: 0.0485, county: 0.0225 |
1: 11800.65, 2: 1800.25, 3: 10000.40, 4: 485.02, 5: 225.01, 7: 710.03, 11: 710.03
a state that is not mapped
`
  .trim()
  .split('\n\n')
  .map((text) => text.split('\n'))
  .map(([head = '', ...lines]) => [head, lines.slice(0, -1).join(' '), lines.at(-1) ?? ''] as const);

const paid = (amount: string) => ({ opening: dollars('0'), added: dollars(amount) });

/** Fills in the return that the head of a case describes. */
const filledBy = (head: string): TaxReturn => {
  const [, state = '', rates = '', given = ''] = head.split('|').map((cell) => cell.trim());
  const { frequency, purchases, prepaid, credits, there, ...more } = linesIn(given);
  return fill(sold(state, linesIn(rates), more), {
    ...(frequency && { frequency: frequency as Frequency }),
    ...(purchases && { purchases: dollars(purchases) }),
    ...(prepaid && { prepayments: paid(prepaid) }),
    ...(credits && { credits: paid(credits) }),
    ...(there && { isThere: true }),
  });
};

describe('the return of a state', () => {
  test.for(CASES)('%s: %s, for %s', ([head, lines]) => {
    const filed = filledBy(head);
    expect(filed.form.form).toBe(head.split(' | ')[0]);
    expect(amounts(filed)).toMatchObject(linesIn(lines));
    expect(filed.checks.filter((check) => !checkPasses(check))).toEqual([]);
  });

  const nyc = { state: '0.04', city: '0.045', special: '0.00375' };
  const memphis = (taxable: string, state: string) =>
    place('SHELBY', 'MEMPHIS', taxable, { state, county: '0.0225' });
  test.for<readonly [state: string, places: readonly TestPlace[], more: Partial<TestFigures>, lines: string]>(
    [
      [
        'NY',
        [place('Kings', 'Brooklyn', '100.40', nyc), place('New York', '', '100.40', nyc)],
        {},
        // New York City is one row of the form: 201 × 8.875 %; no vendor credit on a monthly return.
        '2: 201.00, 3: 17.84, 5: 17.84',
      ],
      [
        'TN',
        [memphis('10000.40', '0.07'), memphis('1000.00', '0.04')],
        { nonTaxable: '800.25', collected: '990.00' },
        // Food at 4 %; 700.028 + 40.00 + 247.51 due and 990.00 collected.
        '1: 11801.00, 6: 800.00, 7: 11001.00, 8: 700.00, 9: 40.00, 10: 248.00, 11: 2.00, T: 990.00, 23: 990.00',
      ],
      [
        'TN',
        [
          place('SHELBY', '', '1600.00', { state: '0.07', county: '0.0225' }),
          place('SHELBY', '', '400.00', { state: '0.0975' }),
        ],
        {},
        // An article of 2,000: the state takes 2.75 % more of what is above 1,600.
        '7: 2000.00, 8: 140.00, 9: 0.00, 10: 36.00, 12: 11.00, 23: 187.00',
      ],
      [
        'CO',
        [
          place('DOUGLAS', '', '1000.00', { county: '0.01' }),
          place('DOUGLAS', '', '1000.00', { state: '0.029', county: '0.01' }),
        ],
        {},
        // What only a county taxes has no tax of the state.
        '5: 2000.00, 7 state: 29.00, 7 local: 20.00',
      ],
    ],
  )('of several places of %s: %o', ([state, places, more, lines]) => {
    const filed = fill({ state, places, ...more });
    expect(amounts(filed)).toMatchObject(linesIn(lines));
    expect(filed.checks.filter((check) => !checkPasses(check))).toEqual([]);
  });

  test.each(law.forms.filter(({ of }) => of === 'state'))(
    '$state $form has tax on own purchases, or says which return has it',
    ({ state, form, frequencies: [frequency], to }) => {
      const period = to === undefined ? '2026-10' : to.slice(0, 7);
      const figures = sold(state === '*' ? 'UT' : state, { state: '0.05' }, { period });
      const filed = fill(figures, {
        frequency: frequency ?? 'quarterly',
        purchases: dollars('310.00'),
        // A form without frequencies only completes others.
        ...(!frequency && {
          completes: { form, frequency: 'quarterly', shorter: 'monthly', returns: [] },
        }),
      });
      expect(filed.form.form).toBe(form);
      const said = useTaxNote(filed)
        .join(' ')
        .includes('Use tax on your purchases of 310.00 is not in this amount');
      expect(said).toBe(filed.useTax === 0);
    },
  );

  test.each(
    rowsOf(`
      FL | 0.06   | 600.00 | credits     | 8: 600.00, 10: 0.02, 11: 0.00, 14: 0.02
      FL | 0.06   | 200.02 | prepayments | 8: 200.02, 10: 400.00, 11: 10.00, 14: 390.00
      FL | 0.06   | 700.00 | credits     | 8: 600.02, 10: 0.00, 11: 0.00, 14: 0.00
      MI | 0.06   | 0.02   | credits     | 3: 0.02, 4: 600.00, 5: 6.00, 6: 594.00, 9: 594.00
      MI | 0.06   | 595.52 | prepayments | 3: 595.52, 4: 4.50, 5: 3.00, 6: 1.50, 9: 1.50
      TX | 0.0625 | 425.00 | prepayments | 9: 425.00, 10: 200.03, 11: 1.00, 15: 199.03
      TX | 0.0625 | 700.00 | credits     | 10: 625.03, 11: 3.13, 12: 621.90, 15: 0.00
    `),
  )(
    'in %s at %s, what was paid before is taken off before the discount where its form does so: %s of %s',
    (state, rate, opening, account, lines) => {
      const paid = { [account]: { opening: dollars(opening), added: dollars('0') } };
      const filed = fill(sold(state, { state: rate }), paid);
      expect(amounts(filed)).toMatchObject(linesIn(lines));
      expect(filed.checks.filter((check) => !checkPasses(check))).toEqual([]);
    },
  );

  test('a tax that the form’s rates do not give is pointed out, and not called rounding', () => {
    const filed = fill(sold('MA', { state: '0.05' }));
    const failed = filed.checks.filter((check) => !checkPasses(check));
    expect(failed.map(({ left, right }) => [left, right])).toEqual([
      [dollars('625.03'), dollars('500.02')],
      [dollars('625.03'), dollars('500.02')],
    ]);
  });

  test('what no one has seen in a source is said', () => {
    const filed = fill(sold('CA', { state: '0.0625', county: '0.01' }));
    expect(filed.notes.join(' ')).toContain('How marketplace sales are reported is not verified.');
  });

  test('California rounds the tax of its districts to whole dollars together', () => {
    const cities = Array.from({ length: 10 }, (_, index) => `CITY ${index}`);
    const rates = { state: '0.0725', special: '0.0225' };
    const filed = fill({
      state: 'CA',
      places: cities.map((city) => ({ county: 'LOS ANGELES', city, taxable: '20.00', rates })),
    });
    expect(formatMoney(amountOfLine(filed, '16'))).toBe('5.00');
  });

  test('Washington computes the tax of each location; one without a rate keeps the tax collected there', () => {
    const seattle = { state: '0.065', city: '0.0405' };
    const filed = fill({
      state: 'WA',
      places: [
        { county: 'KING', city: 'SEATTLE', taxable: '10.00', rates: seattle },
        { county: 'KING', city: 'SEATTLE', taxable: '10.00', rates: seattle },
        {
          county: 'KING',
          city: 'KENT',
          taxable: '10.00',
          rates: { state: '0.065' },
          gap: '0.99',
        },
      ],
    });
    // 10.00 × 4.05 % is 0.41 for each sale, and 20.00 × 4.05 % is 0.81 for the location.
    expect(filed.schedules[0]?.rows.map(({ city, tax }) => [city, formatMoney(tax)])).toEqual([
      ['KENT', '0.99'],
      ['SEATTLE', '0.81'],
    ]);
    expect(filed.checks.filter((check) => !checkPasses(check))).toEqual([]);
  });

  const bibb = (taxable: string, county: string) => place('BIBB', '', taxable, { state: '0.04', county });
  const plano = place('COLLIN', 'PLANO', '10.40', { special: '0.01' });
  test.each([
    ['GA', [bibb('827.79', '0.04'), bibb('-289.00', '0.03')], '011 538.79 24.44'],
    ['GA', [place('FULTON', 'ATLANTA', '100.40', { state: '0.04', city: '0.049' })], '060A 100.40 4.92'],
    ['NY', [place('ERIE', '', '1047.44', { state: '0.04', county: '0.0475' })], 'ER 1451 1047.00 91.61'],
    ['NY', [place('MONROE', '', '224.20', { county: '0.04' })], 'MO H2609 224.00 8.96'],
    ['PA', [place('ALLEGHENY', '', '50.40', { state: '0.06', county: '0.01' })], '02 50.40 0.50'],
    ['TX', [place('HARRIS', 'HOUSTON', '1626.78', { special: '0.01' })], '3101990 1627.00 16.27'],
    ['TX', [place('LUBBOCK', 'LUBBOCK', '828.08', { city: '0.015' })], '2152015 828.00 12.42'],
    ['TX', [plano, place('DALLAS', 'IRVING', '10.40', { special: '0.01' })], '3057994 21.00 0.21'],
    ['WA', [place('', 'AUBURN', '10.00', { state: '0.065', city: '0.039' })], '1702 10.00 0.39'],
    ['WA', [place('', 'SEATTLE', '37.91', { state: '0.065', city: '0.0405' })], '1726 37.91 1.54'],
  ])('in %s, the form has one row for %o: %s', (state, places, row) => {
    const rows = fill({ state, places }).schedules[0]?.rows ?? [];
    const texts = rows.map(({ code, taxable, tax }) => `${code} ${formatMoney(taxable)} ${formatMoney(tax)}`);
    expect(texts).toEqual([row]);
  });

  test('a city at a rate that holds more than the state has for it has no code, and names the rate of the list', () => {
    const filed = fill({ state: 'TX', places: [place('LUBBOCK', 'LUBBOCK', '828.08', { city: '0.02' })] });
    expect(filed.schedules[0]?.rows).toMatchObject([{ name: 'LUBBOCK', code: '', listedAt: '1.5%' }]);
  });

  test('a city takes no code of its county', () => {
    const rates = { state: '0.04', county: '0.04375' };
    const places = [
      { county: 'WESTCHESTER', city: '', taxable: '100.00', rates },
      place('WESTCHESTER', 'YONKERS', '100.00', { ...rates, city: '0.005' }),
    ];
    const filed = fill({ state: 'NY', places }, { locationCodes: { WESTCHESTER: 'WE 5581' } });
    expect(filed.schedules[0]?.rows.map(({ name, code }) => [name, code])).toEqual([
      ['WESTCHESTER / YONKERS', ''],
      ['WESTCHESTER', 'WE 5581'],
    ]);
  });
});

describe('any return', () => {
  const rates: Record<string, Record<string, string>> = {
    CA: { state: '0.0625', county: '0.01', special: '0.0125' },
    TX: { state: '0.0625', city: '0.02' },
    FL: { state: '0.06', county: '0.015' },
    NY: { state: '0.04', county: '0.0475' },
    PA: { state: '0.06', county: '0.01' },
    IL: { state: '0.0625', city: '0.0175' },
    OH: { state: '0.0575', county: '0.0125' },
    GA: { state: '0.04', county: '0.04' },
    NC: { state: '0.0475', county: '0.0225' },
    MI: { state: '0.06' },
    NJ: { state: '0.06625' },
    VA: { state: '0.043', county: '0.01' },
    WA: { state: '0.065', city: '0.038' },
    AZ: { state: '0.056', city: '0.023' },
    TN: { state: '0.07', county: '0.0275' },
    MA: { state: '0.0625' },
    MO: { state: '0.04225', city: '0.0365' },
    WI: { state: '0.05', county: '0.005' },
    CO: { state: '0.029', city: '0.0515' },
    MN: { state: '0.06875', county: '0.0015' },
    UT: { state: '0.0485', county: '0.0225' },
  };
  const amount = fc.integer({ min: 0, max: 50_000_000 });
  const given = fc.record({
    state: fc.constantFrom(...Object.keys(rates)),
    taxable: fc.array(fc.integer({ min: 0, max: 20_000_000 }), { minLength: 1, maxLength: 5 }),
    gap: fc.option(fc.integer({ min: -500_000, max: 500_000 }), { nil: undefined }),
    nonTaxable: amount,
    marketplace: amount,
    offset: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    prepaid: amount,
    credits: amount,
    basis: fc.constantFrom('greater' as const, 'expected' as const, 'collected' as const),
    frequency: fc.constantFrom('monthly' as const, 'quarterly' as const),
  });
  const text = (cents: number): string => formatMoney(money(cents));

  test('adds up: tax is the tax to be paid over and rounding; due is tax less discount, prepayments and credits', () => {
    fc.assert(
      fc.property(
        given,
        ({ state, taxable, gap, nonTaxable, marketplace, offset, prepaid, credits, basis, frequency }) => {
          const plain: TestFigures = {
            state,
            places: taxable.map((cents, index) => ({
              county: `C${index}`,
              city: `T${index}`,
              taxable: text(cents),
              rates: rates[state] ?? {},
              ...(gap !== undefined && index === 0 && { gap: text(gap) }),
            })),
            nonTaxable: text(nonTaxable),
            marketplace: text(marketplace),
          };
          const { expected } = figuresOf(plain);
          const collected = Math.max(0, expected + offset);
          const filed = fill(
            { ...plain, collected: text(collected) },
            {
              basis,
              frequency,
              prepayments: { opening: money(prepaid), added: dollars('0') },
              credits: { opening: dollars('0'), added: money(credits) },
            },
          );
          expect(filed.checks.filter((check) => !checkPasses(check))).toEqual([]);
          const { missing_rates: gaps, computed, adjustment } = filed.values;
          const due = add(expected, gaps);
          expect(gaps).toBe(filed.schedules.length === 0 ? 0 : (gap ?? 0));
          expect(filed.remittance).toBe(
            { greater: Math.max(due, collected), expected: due, collected }[basis],
          );
          const above = subtract(money(collected), computed);
          expect(adjustment).toBe({ greater: Math.max(0, above), expected: 0, collected: above }[basis]);
          const parts = sum([filed.remittance, filed.useTax, filed.rounding]);
          expect(amountOf(filed.lines, 'tax')).toBe(parts);
          for (const account of [filed.prepayments, filed.credits]) {
            expect(account.opening + account.added - account.used).toBe(account.closing);
            expect(account.used).toBeLessThanOrEqual(account.opening + account.added);
          }
          expect(filed.discount.claimed).toBeGreaterThanOrEqual(0);
          expect(subtract(filed.values.sales, filed.values.deductions)).toBe(filed.figures.taxable);
        },
      ),
      { numRuns: 300 },
    );
  });
});
