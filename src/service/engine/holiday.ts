import { formatPrice } from '../../kernel/price.ts';
import { formatRate } from '../../kernel/rate.ts';
import { isInForce } from '../content/dated.ts';
import type { Holiday } from '../content/tax-content.ts';
import type { TaxTable } from './tax-table.ts';
import type { RuleNote, UnitRule } from './unit-rule.ts';

/** The word under which goods without a category stand in a holiday. */
const NO_CODE = 'none';

/**
 * Exempt a category on the days of a sales tax holiday. Goods for which no category here stands can be exempt on such a
 * day as well, so that goods without a category are flagged.
 */
export const withHolidays = (table: TaxTable, code: string, rule: UnitRule): UnitRule => {
  const word = code === '' ? NO_CODE : code;
  const days = table.place.state.holidays.filter((row) => isInForce(row, table.date));
  if (days.length === 0 || rule.rates.every((rate) => rate === 0)) return rule;
  const holiday = days.find((row) => row.codes.includes(word));
  if (holiday)
    return holiday.on ? applyHoliday(table, holiday, rule) : flagged(rule, notApplied(table, holiday));
  const others = days.filter((row) => row.codes.length === 0);
  return code === '' && others.length > 0 ? flagged(rule, notModelled(table, others)) : rule;
};

const flagged = (rule: UnitRule, flag: string): UnitRule => ({ ...rule, flags: [...rule.flags, flag] });

const holidayOf = (table: TaxTable, { name }: Holiday): string =>
  `the holiday "${name}" of ${table.place.state.code} on ${table.date}`;

const notApplied = (table: TaxTable, holiday: Holiday): string =>
  `Only a part of this category is exempt in ${holidayOf(table, holiday)} (${goodsOf(holiday)}): taxed as usual.`;

const notModelled = (table: TaxTable, days: readonly Holiday[]): string =>
  `On ${table.date} ${table.place.state.code} exempts ${days.map(goodsOf).join('; ')}. No category here stands for these goods: taxed as usual.`;

const goodsOf = (holiday: Holiday): string =>
  holiday.limit === 0 ? holiday.goods : `${holiday.goods} ${limitOf(holiday)}`;

const limitOf = ({ limit, limitKind }: Holiday): string => {
  if (limit === 0) return 'at any price';
  const amount = formatPrice(limit);
  if (limitKind === 'first-part') return `for the first ${amount} of an item`;
  return limitKind === 'or-less' ? `up to ${amount} an item` : `below ${amount} an item`;
};

const applyHoliday = (table: TaxTable, holiday: Holiday, rule: UnitRule): UnitRule => {
  const state = table.place.state.code;
  const note: RuleNote = {
    rule: `sales tax holiday "${holiday.name}" of ${state} from ${holiday.from} to ${holiday.to}`,
    outcome: `${holiday.rate === 0 ? 'exempt' : `state rate ${formatRate(holiday.rate)}`} ${limitOf(holiday)}`,
    source: holiday.source,
    confidence: holiday.confidence,
  };
  const isLocalOff = holiday.local === 'follow' || holiday.local === 'opt-out';
  const [stateRate = 0] = rule.rates;
  const ratesOff = rule.rates.map((rate, level) => {
    if (level === 0) return Math.min(stateRate, holiday.rate);
    return isLocalOff ? 0 : rate;
  });
  const flags = [...rule.flags, ...doubtsOf(table, holiday)];
  const exempted = { ...rule, notes: [...rule.notes, note], flags };
  if (holiday.limit === 0)
    return { ...exempted, rates: ratesOff, ratesBelow: ratesOff, luxuryOver: 0, tierRate: 0 };
  if (holiday.limitKind === 'first-part') return { ...exempted, excessOver: holiday.limit };
  // Prices have four decimal places: what is at the limit lies below the next price.
  const threshold = holiday.limitKind === 'or-less' ? holiday.limit + 1 : holiday.limit;
  return { ...exempted, ratesBelow: ratesOff, threshold };
};

const doubtsOf = (table: TaxTable, holiday: Holiday): string[] => {
  const state = table.place.state.code;
  const flags: string[] = [];
  if (holiday.local === 'opt-in')
    flags.push(`Localities of ${state} decide whether they join the holiday: their taxes stayed.`);
  if (holiday.local === 'opt-out')
    flags.push(`Localities of ${state} can keep their taxes in the holiday: none was applied.`);
  if (holiday.doubtful)
    flags.push(`What is known of ${holidayOf(table, holiday)} is only ${holiday.confidence}.`);
  return flags;
};
