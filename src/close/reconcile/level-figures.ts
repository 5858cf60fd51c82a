import type { TaxResult } from '../../contract/tax-result.ts';
import { allocate } from '../../kernel/allocate.ts';
import { add, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { ZERO_RATE } from '../../kernel/rate.ts';
import { addUpTo, type TaxLine } from '../sales/tax-line.ts';
import { weightsBy } from './fraction.ts';
import { type LeviedLevel, leviedBy } from './levied-levels.ts';
import { jurisdictionOf, matchTaxLines, namesOf } from './tax-line-match.ts';
import { type Level, sumsBy, type TaxModel, topRates } from './tax-model.ts';

/**
 * One jurisdiction's tax on one sale, and the tax collected for it. Summed over all levels, `tax` equals the expected
 * tax and `collected` the collected tax, to the cent.
 */
export type LevelFigures = Omit<LeviedLevel, 'level'> & {
  /** `other`: a tax of the shop whose name gives no level and which matches no level of the calculation. */
  readonly level: Level | 'other';
  readonly collected: Money;
};

type Collected = {
  readonly collected: Money;
  /** The shop's tax by jurisdiction, as far as its export states it. */
  readonly taxLines: readonly TaxLine[];
  /** The proved calculation of the shop, which shows for whom it collected. */
  readonly model: TaxModel | undefined;
  readonly state: string;
};

/**
 * The figures of a sale by level. Collected tax is allocated by the shop's own lines if they add up to it; otherwise by
 * the proved calculation of the shop, or in proportion to the tax levied. If nothing is levied, all of it is allocated
 * to the state, which will claim it.
 */
export const levelFiguresOf = (
  result: TaxResult | undefined,
  { collected, taxLines, model, state }: Collected,
): readonly LevelFigures[] => {
  const levied = result ? leviedBy(result) : [];
  if (taxLines.length > 0 && addUpTo(taxLines, collected))
    return byLines(result, levied, { collected, taxLines, state });
  if (levied.length === 0) {
    const rate = (model && topRates(model).get('state')) ?? ZERO_RATE;
    const whole = { ...wholeOf(result, state), rate, collected };
    return collected === ZERO && whole.tax === ZERO ? [] : [whole];
  }
  const proved = model && weightsBy(sumsBy(model, (_, { level }) => level));
  const weights = levied.map(({ level }) => proved?.get(level) ?? 0);
  const isProved = weights.some((weight) => weight > 0);
  const parts = allocate(collected, isProved ? weights : levied.map(({ tax }) => Math.abs(tax)));
  return levied.map((level, index) => ({ ...level, collected: parts[index] ?? ZERO }));
};

/** The tax of a calculation without levels, as the state's. */
const wholeOf = (result: TaxResult | undefined, state: string): LeviedLevel => ({
  level: 'state',
  name: state,
  rate: ZERO_RATE,
  taxable: result?.taxable_amount ?? ZERO,
  tax: result?.amount_to_collect ?? ZERO,
});

/**
 * Collected tax by the shop's lines, with the calculation's expected tax; a line without a level is a row of its own.
 */
const byLines = (
  result: TaxResult | undefined,
  levied: readonly LeviedLevel[],
  { collected, taxLines, state }: Omit<Collected, 'model'>,
): readonly LevelFigures[] => {
  const whole = wholeOf(result, state);
  const levels = levied.length === 0 && whole.tax !== ZERO ? [whole] : levied;
  const names = namesOf(result, state);
  const { groups, unmatched } = matchTaxLines(taxLines, levels, names);
  const own = new Map<LeviedLevel, Money>();
  for (const group of groups) {
    const parts = allocate(
      sum(group.lines.map(({ amount }) => amount)),
      group.levels.map(({ tax }) => Math.abs(tax)),
    );
    group.levels.forEach((level, index) => {
      own.set(level, parts[index] ?? ZERO);
    });
  }
  const rows: readonly LevelFigures[] = [
    ...levels.map((level) => ({ ...level, collected: own.get(level) ?? ZERO })),
    ...unmatched.map((line) => ({
      level: line.kind === null || line.kind === 'country' ? ('other' as const) : line.kind,
      name: jurisdictionOf(line, names),
      rate: line.rate ?? ZERO_RATE,
      taxable: ZERO,
      tax: ZERO,
      collected: line.amount,
    })),
  ];
  // Shops round line by line; the missing cents are allocated in proportion to the collected tax.
  const missed = subtract(collected, sum(rows.map((row) => row.collected)));
  if (missed === ZERO) return rows;
  const cents = allocate(
    missed,
    rows.map((row) => Math.abs(row.collected)),
  );
  return rows.map((row, index) => ({ ...row, collected: add(row.collected, cents[index] ?? ZERO) }));
};
