import { placeKey } from '../content/region-names.ts';
import { isInForce, type SpecialRule } from '../content/tax-content.ts';
import { formatRate, type Rate } from '../kernel/money.ts';
import type { UnitRule } from './order-tax.ts';
import { LEVEL_INDEX, type TaxTable } from './tax-table.ts';

/** Apply a state's special rules: caps and bands on the price of an item, luxury rates, local taxes on one category. */
export const withSpecialRules = (table: TaxTable, code: string, rule: UnitRule): UnitRule => {
  let result = rule;
  for (const special of table.place.state.special) {
    if (!isInForce(special, table.date)) continue;
    if (special.codes.length > 0 && !special.codes.includes(code)) continue;
    const applied = applySpecial(table, special, result);
    const doubt = `The rule ${special.kind} of ${table.place.state.code} is only ${special.confidence} (${special.note}).`;
    result =
      special.doubtful && applied !== result && applied.flags === result.flags
        ? { ...applied, flags: [...applied.flags, doubt] }
        : applied;
  }
  return result;
};

const applySpecial = (table: TaxTable, special: SpecialRule, rule: UnitRule): UnitRule => {
  const isTaxedByState = rule.rates[0] !== 0 && rule.rates[0] === table.rates[0];
  switch (special.kind) {
    case 'local-item-cap':
      if (rule.rates.slice(1).every((value) => value === 0)) return rule;
      return { ...rule, capAmount: special.amountTo, capFromLevel: LEVEL_INDEX.county };
    case 'state-item-tier':
      if (!isTaxedByState) return rule;
      return {
        ...rule,
        tierRate: special.rate,
        tierFrom: special.amountFrom,
        tierTo: special.amountTo,
      };
    case 'luxury-rate':
      if (!isTaxedByState) return rule;
      return { ...rule, luxuryOver: special.amountFrom, luxuryRate: special.rate };
    case 'code-extra-local':
      return withCityRate(table, special, rule, (rate) => rate + special.rate);
    case 'code-city-rate':
      return withCityRate(table, special, rule, () => special.rate);
    default:
      return rule;
  }
};

/** Apply the city's rate on the category if the rule names the place; flag a rate that may apply. */
const withCityRate = (
  table: TaxTable,
  special: SpecialRule,
  rule: UnitRule,
  cityRate: (rate: number) => number,
): UnitRule => {
  if (isNamed(table, special)) {
    const changed = (rates: readonly number[]) =>
      rates.map((value, level) => (level === LEVEL_INDEX.city ? cityRate(value) : value));
    return { ...rule, rates: changed(rule.rates), ratesBelow: changed(rule.ratesBelow) };
  }
  if (special.places.size > 0 || isDecided(table, special)) return rule;
  const text = `A local tax of ${formatRate(special.rate as Rate)} may apply: ${special.note}.`;
  return { ...rule, flags: [...rule.flags, text] };
};

/** Whether a rule names the place: `Boston`; its county: `Wake County`; or both: `Hillsborough, Orange County`. */
const isNamed = ({ place: { place, cityName, countyName } }: TaxTable, { places }: SpecialRule): boolean => {
  const county = placeKey(`${countyName} County`);
  return ['*', place?.key, county, `${placeKey(cityName ?? '')} ${county}`].some((key) =>
    places.has(key ?? ''),
  );
};

/** Whether another rule on the same categories names the place, so that there is no doubt at this place. */
const isDecided = (table: TaxTable, open: SpecialRule): boolean =>
  table.place.state.special.some(
    (other) =>
      other.kind === open.kind &&
      other.codes.some((code) => open.codes.includes(code)) &&
      isInForce(other, table.date) &&
      isNamed(table, other),
  );
