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
 * What one body levies on one sale, and what was collected for it. Over all levels the taxes add up to the expected tax
 * and what was collected to the collected one, to the cent.
 */
export type LevelFigures = Omit<LeviedLevel, 'level'> & {
  /** `other`: the shop charged a tax whose name says no level, and the calculation has none that it could be. */
  readonly level: Level | 'other';
  readonly collected: Money;
};

type Collected = {
  readonly collected: Money;
  /** The tax of the shop by jurisdiction, as far as its export states it. */
  readonly taxLines: readonly TaxLine[];
  /** The calculation that was proved to be the shop's: it says for whom the shop collected. */
  readonly model: TaxModel | undefined;
  readonly state: string;
};

/**
 * The figures of a sale by level. Collected tax goes to the levels as the shop's own lines have it, where they come to
 * what was collected; otherwise as the proved calculation of the shop has it, or in proportion to what the levels levy.
 * Where nothing is levied it is the state that will ask for it.
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
  const proved = model && weightsBy(sumsBy(model, (_, level) => level));
  const weights = levied.map(({ level }) => proved?.get(level) ?? 0);
  const isProved = weights.some((weight) => weight > 0);
  const parts = allocate(collected, isProved ? weights : levied.map(({ tax }) => Math.abs(tax)));
  return levied.map((level, index) => ({ ...level, collected: parts[index] ?? ZERO }));
};

/** The tax of a calculation that has no levels: it is the state's. */
const wholeOf = (result: TaxResult | undefined, state: string): LeviedLevel => ({
  level: 'state',
  name: state,
  rate: ZERO_RATE,
  taxable: result?.taxable_amount ?? ZERO,
  tax: result?.amount_to_collect ?? ZERO,
});

/** Collected by the shop's lines beside expected by the calculation; a line that fits no level is a row of its own. */
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
  // Shops round line by line: the cents that the lines miss go to those that are nearest to one more.
  const missed = subtract(collected, sum(rows.map((row) => row.collected)));
  if (missed === ZERO) return rows;
  const cents = allocate(
    missed,
    rows.map((row) => Math.abs(row.collected)),
  );
  return rows.map((row, index) => ({ ...row, collected: add(row.collected, cents[index] ?? ZERO) }));
};
