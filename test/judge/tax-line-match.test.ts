import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSamePlace, levelFiguresOf, matchTaxLines, namesOf } from '../../src/judge/level-figures.ts';
import { leviedBy, taxModelOf } from '../../src/judge/tax-model.ts';
import { formatMoney, money, sum } from '../../src/kernel/money.ts';
import type { TaxLine } from '../../src/sales/sale.ts';
import { taxLineNameOf } from '../../src/sales/tax-lines.ts';
import { saleOf } from '../sales/sale-of.ts';
import { anyResult, resultOf, unit, WITHOUT_NEXUS } from './result-of.ts';

const line = (name: string, cents: number): TaxLine => ({ ...taxLineNameOf(name), amount: money(cents) });

/** 100.00 sold in Santa Monica, Los Angeles County: 6 %, 0.25 %, 1 % and 2.25 %. */
const SANTA_MONICA = resultOf([
  unit({
    state: [10_000, 600_000],
    county: [10_000, 25_000],
    city: [10_000, 100_000],
    special: [10_000, 225_000],
  }),
]);
/** The state alone: of the places below it no rate is known. */
const STATE_ALONE = resultOf([unit({ state: [10_000, 600_000] })]);

const matched = (result: typeof SANTA_MONICA, lines: readonly TaxLine[]) => {
  const { groups, unmatched } = matchTaxLines(lines, leviedBy(result), namesOf(result, 'CA'));
  return [
    ...groups.map(
      (group) =>
        `${group.levels.map(({ level }) => level).join(' + ')} = ${group.lines.map(({ name }) => name).join(' + ')}`,
    ),
    ...unmatched.map(({ name }) => `? ${name}`),
  ];
};

describe('lines of tax stand for the levels', () => {
  test('that they are called like', () => {
    expect(
      matched(SANTA_MONICA, [
        line('California State Tax 6%', 600),
        line('Los Angeles County Tax 0.25%', 25),
        line('Santa Monica City Tax 1%', 100),
        line('Los Angeles County District Tax Sp 2.25%', 225),
      ]),
    ).toEqual([
      'state = California State Tax',
      'county = Los Angeles County Tax',
      'city = Santa Monica City Tax',
      'special = Los Angeles County District Tax Sp',
    ]);
  });

  test('that they come to together, however the shop splits them', () => {
    expect(
      matched(SANTA_MONICA, [
        line('California State Tax 7.25%', 725),
        line('Los Angeles County District Tax Sp 2.25%', 225),
      ]),
    ).toEqual([
      'special = Los Angeles County District Tax Sp',
      'state + county + city = California State Tax',
    ]);
    expect(matched(SANTA_MONICA, [line('CA TAX 9.5%', 950)])).toEqual([
      'state + county + city + special = CA TAX',
    ]);
    expect(
      matched(SANTA_MONICA, [
        line('CA State Tax', 600),
        line('Los Angeles Co Local Tax Sl 1%', 100),
        line('Special Tax 2%', 200),
        line('Special Tax 0.5%', 50),
      ]),
    ).toEqual([
      'state = CA State Tax',
      'county + city + special = Los Angeles Co Local Tax Sl + Special Tax + Special Tax',
    ]);
  });

  test('where they state no rate, by what they come to', () => {
    expect(matched(SANTA_MONICA, [line('CA State Tax', 600), line('Tax', 350)])).toEqual([
      'state = CA State Tax',
      'county + city + special = Tax',
    ]);
  });

  test('that they are called like at another rate, and the rest stays unmatched', () => {
    expect(
      matched(SANTA_MONICA, [
        line('California State Tax 6%', 600),
        line('Santa Monica City Tax 1.5%', 150),
        line('Fresno City Tax 1%', 100),
        line('Nevada State Tax 0.25%', 25),
        line('FR TVA 20%', 2000),
      ]),
    ).toEqual([
      'state = California State Tax',
      'city = Santa Monica City Tax',
      '? Fresno City Tax',
      '? Nevada State Tax',
      '? FR TVA',
    ]);
  });

  test.for([
    ['St. Louis', 'SAINT LOUIS', true],
    ['City of Coeur d’Alene', "COEUR D'ALENE", true],
    ['DeKalb County', 'DE KALB', true],
    ['Cañon City', 'CANON CITY', true],
    ['New York City', 'NEW YORK', true],
    ['Kansas', 'Kansas City', true],
    ['Ft Collins', 'FORT COLLINS', true],
    ['Los Angeles', 'Los Alamitos', false],
    ['', '', false],
  ] as const)('%j and %j are one place: %s', ([left, right, is]) => {
    expect(isSamePlace(left, right)).toBe(is);
  });
});

const anyLine = fc
  .record({
    name: fc.oneof(
      fc.string(),
      fc.constantFrom(
        'California State Tax 6%',
        'CA TAX',
        'Santa Monica City Tax 1%',
        'Fresno City Tax 2%',
        'Los Angeles County Tax',
        'Special Tax 0.5%',
        'State Tax 7.25%',
        'GB VAT 20%',
      ),
    ),
    cents: fc.integer({ min: -5_000, max: 20_000 }),
  })
  .map(({ name, cents }) => line(name, cents));
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 7 });

describe('whatever the lines are', () => {
  test('each is in one group or unmatched, each level in one group at most, in whatever order they are', () => {
    const bag = (result: typeof SANTA_MONICA, lines: readonly TaxLine[]) => {
      const { groups, unmatched } = matchTaxLines(lines, leviedBy(result), namesOf(result, 'CA'));
      const placed = [...groups.flatMap((group) => group.lines), ...unmatched];
      expect(placed.length).toBe(lines.length);
      expect(new Set(placed)).toEqual(new Set(lines));
      const used = groups.flatMap((group) => group.levels);
      expect(new Set(used).size).toBe(used.length);
      return groups.map((group) => [group.levels, sum(group.lines.map(({ amount }) => amount))]);
    };
    fc.assert(
      fc.property(anyResult, anyLines, fc.infiniteStream(fc.nat()), (result, lines, order) => {
        const shuffled = lines.toSorted(() => ((order.next().value ?? 0) % 3) - 1);
        expect(bag(result, shuffled)).toEqual(bag(result, lines));
      }),
    );
  });

  test('the levels add up to the tax of the order and to what was collected, to the cent', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyResult, fc.constant(WITHOUT_NEXUS)),
        fc.oneof(anyLines, fc.constant([])),
        fc.integer({ min: -9, max: 9 }),
        fc.option(anyResult, { nil: undefined }),
        (result, taxLines, missed, other) => {
          const model = other && taxModelOf(other);
          const collected = money(sum(taxLines.map(({ amount }) => amount)) + missed);
          const levels = levelFiguresOf(result, saleOf({ salesTax: collected, taxLines }), model);
          expect(sum(levels.map((level) => level.tax))).toBe(result.amount_to_collect);
          expect(sum(levels.map((level) => level.collected))).toBe(collected);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('collected by level', () => {
  const shown = (result: typeof SANTA_MONICA, collected: number, lines: readonly TaxLine[]) =>
    levelFiguresOf(result, saleOf({ salesTax: money(collected), taxLines: lines }), undefined).map(
      ({ level, name, rate, tax, collected: own }) =>
        `${level} ${name} ${rate}: ${formatMoney(own)} of ${formatMoney(tax)}`,
    );

  test('is what the shop says, and a place that the calculation does not have is a row of its own', () => {
    expect(
      shown(STATE_ALONE, 850, [
        line('California State Tax 6%', 600),
        line('Santa Monica City Tax 2%', 200),
        line('Wonderland 0.5%', 50),
      ]),
    ).toEqual([
      'state CA 600000: 6.00 of 6.00',
      'city SANTA MONICA 200000: 2.00 of 0.00',
      'other Wonderland 50000: 0.50 of 0.00',
    ]);
  });

  test('goes without lines that do not come to what was collected', () => {
    expect(shown(STATE_ALONE, 600, [line('Santa Monica City Tax 2%', 200)])).toEqual([
      'state CA 600000: 6.00 of 6.00',
    ]);
  });
});
