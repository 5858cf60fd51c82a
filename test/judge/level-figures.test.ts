import { describe, expect, test } from 'vitest';
import { levelFiguresOf } from '../../src/judge/level-figures.ts';
import { type TaxModel, taxModelOf } from '../../src/judge/tax-model.ts';
import { money } from '../../src/kernel/money.ts';
import { plain, resultOf, unit, WITHOUT_NEXUS } from './result-of.ts';

const NOBODY = { collected: money(0), taxLines: [], model: undefined, state: 'CA' };

describe('the levels of a tax', () => {
  const shown = (...args: Parameters<typeof resultOf>) =>
    levelFiguresOf(resultOf(...args), NOBODY).map(({ level, name, rate, taxable, tax }) => [
      level,
      name,
      rate,
      taxable,
      tax,
    ]);

  test('go by what they levy where a level has several rates', () => {
    const lines = [
      unit({ state: [10_000, 600_000], city: [10_000, 100_000] }),
      unit({ state: [10_000, 200_000] }),
    ];
    expect(shown(lines).map(([level, , , taxable, tax]) => [level, taxable, tax])).toEqual([
      ['state', 20_000, 800],
      ['city', 10_000, 100],
    ]);
  });

  test('have collected what the proved calculation of the shop says', () => {
    const expected = resultOf([plain(10_000)]);
    const stateOnly = taxModelOf(resultOf([unit({ state: [10_000, 625_000] })]));
    const collected = (model: TaxModel | undefined) =>
      levelFiguresOf(expected, { collected: money(625), taxLines: [], model, state: 'CA' }).map(
        (level) => level.collected,
      );
    expect(collected(stateOnly)).toEqual([625, 0]);
    expect(collected(undefined)).toEqual([473, 152]);
  });

  test('are the state alone where nothing is levied and something was collected', () => {
    expect(levelFiguresOf(WITHOUT_NEXUS, { ...NOBODY, collected: money(932), state: 'AZ' })).toEqual([
      {
        level: 'state',
        name: 'AZ',
        rate: 0,
        taxable: 0,
        tax: 0,
        collected: 932,
      },
    ]);
  });
});
