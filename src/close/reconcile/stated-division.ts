import { type Money, sum } from '../../kernel/money.ts';
import { ZERO_RATE } from '../../kernel/rate.ts';
import type { TaxLine } from '../sales/tax-line.ts';
import { isSame } from './fraction.ts';
import type { Hypothesis } from './hypothesis.ts';
import { totalRate } from './open-variance.ts';
import { dividedBy, type LevelRates } from './rate-claim.ts';
import { LEVELS, type Level, type TaxModel, topRates, unroundedOf } from './tax-model.ts';

/**
 * How a shop's tax lines divide the rate of a calculation: the same in all, among other jurisdictions. `undefined` if they
 * come to another rate or another tax, or state no rates. Each line is rounded by itself, so that a second line of a
 * level takes the place of a level without any.
 */
export const statedDivision = (
  taxLines: readonly TaxLine[],
  collected: Money,
  expected: TaxModel,
): LevelRates | undefined => {
  const rates = taxLines.map(({ rate }) => rate ?? ZERO_RATE);
  const own = topRates(expected);
  if (rates.includes(ZERO_RATE) || totalRate(rates) !== totalRate(own.values())) return undefined;
  if (sum(taxLines.map(({ amount }) => amount)) !== collected || taxLines.length > LEVELS.length)
    return undefined;
  const divided = new Map<Level, (typeof rates)[number]>();
  for (const [index, { kind }] of taxLines.entries()) {
    const named = LEVELS.find((level) => level === kind && !divided.has(level));
    const level = named ?? LEVELS.findLast((each) => !divided.has(each));
    if (level) divided.set(level, rates[index] ?? ZERO_RATE);
  }
  return Object.fromEntries(LEVELS.map((level) => [level, divided.get(level) ?? ZERO_RATE]));
};

/** Round the tax as the shop's lines divide it, where that changes no more than the rounding. */
export const roundingsAsStated = (division: LevelRates | undefined): readonly Hypothesis[] =>
  division === undefined
    ? []
    : (['jurisdiction', 'line and jurisdiction'] as const).map((grain) => ({
        code: 'R01',
        apply: (model) => {
          const divided = { ...model, units: dividedBy(division, model), grain };
          return isSame(unroundedOf(divided), unroundedOf(model))
            ? { model: divided, what: `rounded per ${grain}, as its tax lines divide it` }
            : undefined;
        },
      }));
