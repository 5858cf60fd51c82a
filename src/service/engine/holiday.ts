import { formatPrice } from '../../kernel/price.ts';
import { isInForce } from '../content/dated.ts';
import type { Holiday } from '../content/tax-content.ts';
import type { TaxTable } from './tax-table.ts';
import type { RuleNote, UnitRule } from './unit-rule.ts';

/** The word under which goods without a category stand in a holiday. */
const NO_CODE = 'none';

/**
 * Exempt a category on the days of a sales tax holiday. Whether an item at exactly the price limit is exempt differs
 * by state and is not in the content, so it is taxed. Holidays that are switched off are flagged on their days.
 */
export const withHolidays = (table: TaxTable, code: string, rule: UnitRule): UnitRule => {
  const word = code === '' ? NO_CODE : code;
  const holiday = table.place.state.holidays.find(
    (row) => isInForce(row, table.date) && row.codes.includes(word),
  );
  if (!holiday || rule.rates.every((rate) => rate === 0)) return rule;
  if (!holiday.on) {
    const flag = `Sources disagree on a sales tax holiday of ${table.place.state.code} on ${table.date}: not applied.`;
    return { ...rule, flags: [...rule.flags, flag] };
  }
  return applyHoliday(table, holiday, rule);
};

const applyHoliday = (table: TaxTable, holiday: Holiday, rule: UnitRule): UnitRule => {
  const state = table.place.state.code;
  const limit = holiday.below === 0 ? 'at any price' : `below ${formatPrice(holiday.below)} an item`;
  const note: RuleNote = {
    rule: `sales tax holiday of ${state} from ${holiday.from} to ${holiday.to}`,
    outcome: `exempt ${limit}`,
    source: holiday.source,
    confidence: holiday.confidence,
  };
  const isLocalExempt = holiday.local === 'follow';
  const exemptRates = rule.rates.map((rate, level) => (level === 0 || isLocalExempt ? 0 : rate));
  const flags = isLocalExempt
    ? rule.flags
    : [...rule.flags, `Localities of ${state} decide whether they take part in the holiday: taxed in full.`];
  const exempted = { ...rule, ratesBelow: exemptRates, notes: [...rule.notes, note], flags };
  if (holiday.below > 0) return { ...exempted, threshold: holiday.below };
  return { ...exempted, rates: exemptRates, luxuryOver: 0, tierRate: 0 };
};
