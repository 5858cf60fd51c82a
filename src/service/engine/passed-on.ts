import { RATE_ONE } from '../../kernel/money.ts';
import { inForce } from '../content/dated.ts';
import type { SpecialRule } from '../content/tax-content.ts';
import { noteOf } from './special-rules.ts';
import type { TaxTable } from './tax-table.ts';
import type { RuleNote, UnitRule } from './unit-rule.ts';

/** Rates that are passed on have six decimals: ten of the ten-millionths in which rates are kept. */
const PASSED_ON_STEP = 10;

/**
 * The rule by which a tax is the seller's own and is levied on all that it receives, a tax charged to the buyer
 * included. `undefined` where the tax is the buyer's.
 */
const passedOnRule = ({ place, date }: TaxTable): SpecialRule | undefined =>
  inForce(
    place.state.special.filter(({ kind }) => kind === 'passed-on'),
    date,
  );

/**
 * Return how a rule taxes what the buyer pays where the seller passes on the tax with the tax on it: at
 * rate / (1 - rate) of all levels together, cut off after six decimals. Every level takes its share; the last one takes
 * what is left. `undefined` where the state has no such tax.
 */
export const passedOnBy = (table: TaxTable): ((rule: UnitRule) => UnitRule) | undefined =>
  passedOnRule(table) &&
  ((rule) => ({ ...rule, rates: grossedUp(rule.rates), ratesBelow: grossedUp(rule.ratesBelow) }));

/** Raise rates so that they pay the tax on themselves, too. */
export const grossedUp = (rates: readonly number[]): readonly number[] => {
  const sum = rates.reduce((total, rate) => total + rate, 0);
  const raised = (rate: number) =>
    Math.floor((rate * RATE_ONE) / ((RATE_ONE - sum) * PASSED_ON_STEP)) * PASSED_ON_STEP;
  const last = rates.findLastIndex((rate) => rate !== 0);
  const shares = rates.map((rate, level) => (level === last ? 0 : raised(rate)));
  const rest = raised(sum) - shares.reduce((total, rate) => total + rate, 0);
  return shares.map((rate, level) => (level === last ? rest : rate));
};

/** Return the rule for an explanation, where there is one. */
export const passedOnNotes = (table: TaxTable): readonly RuleNote[] => {
  const rule = passedOnRule(table);
  return rule ? [noteOf(table, rule)] : [];
};
