import { OUTSIDE_CITIES } from '../content/place-lookup.ts';
import { placeKey } from '../content/region-names.ts';
import {
  type BuyerUse,
  type Holiday,
  inForce,
  isInForce,
  type LocalityExemption,
  type SpecialRule,
  type StateContent,
  type TaxabilityRow,
  type TaxContent,
} from '../content/tax-content.ts';
import { formatRate, type Rate } from '../kernel/money.ts';
import { textsIn } from '../kernel/text.ts';
import { plainRule, type UnitRule } from './order-tax.ts';
import { LEVEL_INDEX, rateFlags, sureWords, type TaxTable } from './tax-table.ts';

/**
 * Return the rule for a category at a table's place, built on first use. An empty code is fully taxable. Where law is
 * doubtful, the more likely reading applies, and the rule has a flag.
 */
export const ruleFor = (content: TaxContent, table: TaxTable, code: string, use?: BuyerUse): UnitRule => {
  const key = use === undefined ? code : `${code} ${use}`;
  const known = table.rules.get(key);
  if (known) return known;
  const rule = withHolidays(table, code, withSpecialRules(table, code, buildRule(content, table, code, use)));
  // Codes that a caller invents must not fill the memory.
  if (code === '' || content.taxability.has(code)) table.rules.set(key, rule);
  return rule;
};

const fullyTaxable = (table: TaxTable, flag?: string): UnitRule =>
  plainRule(table.rates, flag === undefined ? [] : [flag]);

const buildRule = (
  content: TaxContent,
  table: TaxTable,
  code: string,
  use: BuyerUse | undefined,
): UnitRule => {
  if (code === '') return fullyTaxable(table);
  const found = findRow(content, table, code, use);
  if (found === 'unknown-code') return fullyTaxable(table, `Category ${code} is not known: taxed in full.`);
  const why = doubtAbout(found, table, code);
  const inFull = fullyTaxable(table);
  if (found === 'no-row') return fullyTaxable(table, why);
  const { row, otherUse } = found;
  const rule = row.treatment === 'unknown' ? inFull : applyRow(content, table, code, row);
  if (why === undefined) return rule;
  if (otherUse && rule !== inFull) return inDoubt(rule, why, applyRow(content, table, code, otherUse));
  return inDoubt(rule, why, isSame(rule, inFull) ? untaxed(table) : inFull);
};

/** Where the law is looked up: a state on a day. */
type StateOnDay = Pick<TaxTable, 'date'> & { readonly place: Pick<TaxTable['place'], 'state'> };

/** Return why it is in doubt how a state taxes a category on a day, as a sentence; `undefined` where it is not. */
export const categoryDoubt = (
  content: TaxContent,
  at: StateOnDay,
  code: string,
  use?: BuyerUse,
): string | undefined => {
  const found = findRow(content, at, code, use);
  return found === 'unknown-code' ? undefined : doubtAbout(found, at, code);
};

const doubtAbout = (found: FoundRow | 'no-row', { place, date }: StateOnDay, code: string) => {
  const state = place.state.code;
  if (found === 'no-row')
    return `How ${state} taxed category ${code} on ${date} is not known: taxed in full.`;
  const { row, chain, otherUse } = found;
  if (row.treatment === 'unknown') {
    const detail = row.note === '' ? '' : ` (${row.note})`;
    return `How ${state} taxes category ${code} is not known${detail}: taxed in full.`;
  }
  if (otherUse) {
    const { use, note: detail } = otherUse;
    return `${state} taxes category ${code} by use, and the seller's configuration names none: the rule for ${use} use${detail === '' ? '' : ` (${detail})`} was not applied.`;
  }
  const doubtful = chain.find((link) => link.doubtful);
  if (!doubtful) return undefined;
  return `How ${state} taxes category ${code} is ${reasonOf(doubtful)}: the likelier side was applied, ${row.treatment}.`;
};

/** Flag a rule that is in doubt, unless the other reading gives the same tax. */
const inDoubt = (rule: UnitRule, why: string, otherwise: UnitRule): UnitRule =>
  isSame(rule, otherwise) ? rule : flagged(rule, why);

const isSame = (one: UnitRule, other: UnitRule): boolean =>
  one.threshold === other.threshold &&
  one.excessOver === other.excessOver &&
  one.percent === other.percent &&
  one.rates.every((rate, level) => rate === other.rates[level]);

const untaxed = (table: TaxTable): UnitRule => plainRule(table.rates.map(() => 0));

const reasonOf = (row: TaxabilityRow): string =>
  row.note === '' ? sureWords(row) : `${sureWords(row)} (${row.note})`;

type FoundRow = {
  readonly row: TaxabilityRow;
  readonly chain: readonly TaxabilityRow[];
  /** The rule for one of several uses, when the use is unknown. */
  readonly otherUse: TaxabilityRow | undefined;
};

/** How many `like` rows are followed before they count as a cycle, and the category as unknown. */
const LINKS_MAX = 5;

/** Find the row in force for a category, following `like` to the category that is treated the same. */
const findRow = (
  content: TaxContent,
  { place, date }: StateOnDay,
  code: string,
  use: BuyerUse | undefined,
): FoundRow | 'unknown-code' | 'no-row' => {
  const chain: TaxabilityRow[] = [];
  let current = code;
  while (chain.length < LINKS_MAX) {
    const states = content.taxability.get(current);
    if (!states) return 'unknown-code';
    const rows = (states.get(place.state.code) ?? states.get('*') ?? []).filter((row) =>
      isInForce(row, date),
    );
    const row =
      (use && rows.find((one) => one.use === use)) ??
      inForce(
        rows.filter((one) => one.use === ''),
        date,
      );
    if (!row) return 'no-row';
    chain.push(row);
    if (row.treatment !== 'like') {
      return { row, chain, otherUse: use === undefined ? rows.find((one) => one.use !== '') : undefined };
    }
    current = row.like;
  }
  return 'no-row';
};

const applyRow = (content: TaxContent, table: TaxTable, code: string, row: TaxabilityRow): UnitRule => {
  const { rates: local, flags } = localRatesOf(content, table, row, code);
  const withState = (stateRate: number): UnitRule => plainRule([stateRate, ...local], flags);
  switch (row.treatment) {
    case 'exempt':
      return withState(0);
    case 'reduced':
      return withState(row.rate);
    case 'special-rate':
      return plainRule([row.rate, 0, 0, 0], flags);
    case 'partial':
      return { ...withState(table.rates[0]), percent: row.percent };
    case 'threshold': {
      const { threshold } = row;
      const inFull = plainRule(table.rates, flags);
      if (row.thresholdKind === 'excess-only') return { ...inFull, excessOver: threshold };
      return { ...inFull, threshold, ratesBelow: [0, ...local] };
    }
    default:
      return withState(table.rates[0]);
  }
};

/** The word for goods without a category in a holiday. */
const NO_CODE = 'none';

/**
 * Exempt a category on the days of a sales tax holiday. Goods that match no category here may be exempt on such a day
 * as well, so goods without a category are flagged.
 */
const withHolidays = (table: TaxTable, code: string, rule: UnitRule): UnitRule => {
  const word = code === '' ? NO_CODE : code;
  const { state } = table.place;
  const days = state.holidays.filter((row) => isInForce(row, table.date));
  if (days.length === 0 || rule.rates.every((rate) => rate === 0)) return rule;
  const holiday = days.find((row) => row.codes.includes(word));
  if (holiday)
    return holiday.on ? applyHoliday(table, holiday, rule) : flagged(rule, notApplied(state, holiday));
  const others = days.filter((row) => row.codes.length === 0);
  return code === '' ? flagged(rule, ...notModelled(state, others)) : rule;
};

const flagged = (rule: UnitRule, ...flags: readonly string[]): UnitRule => ({
  ...rule,
  flags: [...rule.flags, ...flags],
});

/** The days of a holiday in words. */
const daysOf = ({ from, to }: Holiday): string => (from === to ? from : `${from} to ${to}`);

const holidayOf = (state: string, holiday: Holiday): string =>
  `the holiday "${holiday.name}" of ${state} (${daysOf(holiday)})`;

const notApplied = ({ code }: StateContent, holiday: Holiday): string =>
  `Only a part of a category is exempt in ${holidayOf(code, holiday)} (${holiday.goods}): taxed as usual.`;

/** What holidays exempt that none of some categories stands for, a sentence for those of the same days. */
const notModelled = (
  state: StateContent,
  holidays: readonly Holiday[],
  none = 'No category',
): readonly string[] =>
  [...Map.groupBy(holidays, daysOf)].map(
    ([days, rows]) =>
      `${days}: ${state.code} exempts ${rows.map(({ goods }) => goods).join('; ')}. ${none} stands for these goods: taxed as usual.`,
  );

/** What the holidays of a state within some days leave in doubt for goods of these categories, and for goods without one. */
export const holidayDoubts = (
  state: StateContent,
  { first, last }: { readonly first: string; readonly last: string },
  categories: readonly string[],
): readonly string[] => {
  const words = new Set([NO_CODE, ...categories]);
  const held = state.holidays.filter(({ from, to }) => from <= last && first <= to);
  const { own = [], others = [] } = Object.groupBy(held, ({ codes }) =>
    codes.some((code) => words.has(code)) ? 'own' : 'others',
  );
  const ofOwn = own.flatMap((holiday) =>
    holiday.on ? doubtsOf(state, holiday) : [notApplied(state, holiday)],
  );
  return [...new Set(ofOwn), ...notModelled(state, others, 'None of the configured categories')];
};

const applyHoliday = (table: TaxTable, holiday: Holiday, rule: UnitRule): UnitRule => {
  const isLocalOff = holiday.local === 'follow' || holiday.local === 'opt-out';
  const [stateRate = 0] = rule.rates;
  const ratesOff = rule.rates.map((rate, level) => {
    if (level === 0) return Math.min(stateRate, holiday.rate);
    return isLocalOff ? 0 : rate;
  });
  const flags = [...rule.flags, ...doubtsOf(table.place.state, holiday)];
  const exempted = { ...rule, flags };
  if (holiday.limit === 0)
    return { ...exempted, rates: ratesOff, ratesBelow: ratesOff, luxuryOver: 0, tierRate: 0 };
  if (holiday.limitKind === 'first-part') return { ...exempted, excessOver: holiday.limit };
  // Prices have four decimal places: a price at the limit is below the next possible price.
  const threshold = holiday.limitKind === 'or-less' ? holiday.limit + 1 : holiday.limit;
  return { ...exempted, ratesBelow: ratesOff, threshold };
};

const doubtsOf = ({ code }: StateContent, holiday: Holiday): readonly string[] =>
  textsIn([
    holiday.local === 'opt-in' &&
      `Localities of ${code} decide whether they join the holiday: their taxes stayed.`,
    holiday.local === 'opt-out' &&
      `Localities of ${code} can keep their taxes in the holiday: none was applied.`,
    holiday.doubtful && `The rule of ${holidayOf(code, holiday)} is ${sureWords(holiday)}.`,
  ]);
/** The local rates (county, city, special) on a category, with flags. */
type LocalOutcome = {
  readonly rates: readonly [number, number, number];
  readonly flags: readonly string[];
};

/** Grocery food, which may have separate local rates. */
const FOOD = '40030';
const NO_RATES = [0, 0, 0] as const;

const outcome = (rates: LocalOutcome['rates'], flags: readonly string[] = []): LocalOutcome => ({
  rates,
  flags,
});

/** Return the local rates on a category that the state treats according to a row. */
export const localRatesOf = (
  content: TaxContent,
  table: TaxTable,
  row: TaxabilityRow,
  code: string,
): LocalOutcome => {
  const isFood = row.code === FOOD || code === FOOD;
  const full = (isFood ? table.foodRates : table.rates).slice(1) as [number, number, number];
  switch (row.local) {
    case 'follow':
      return outcome(row.treatment === 'exempt' || row.treatment === 'threshold' ? NO_RATES : full);
    case 'full':
      return outcome(full);
    case 'exempt':
      return outcome(NO_RATES);
    case 'uniform':
      return outcome([row.localRate ?? 0, 0, 0]);
    case 'food-rows':
      return ownRowsOutcome(table, row, 'food');
    case 'drug-rows':
      return ownRowsOutcome(table, row, 'drugs');
    case 'listed-exempt': {
      const listed = content.localities.get(`${row.code} ${row.state}`) ?? [];
      return outcome(listed.some((entry) => exempts(entry, table)) ? NO_RATES : full);
    }
    case 'unknown':
      return outcome(full, [
        `Whether local taxes of ${row.state} apply to category ${code} is not known: taxed in full.`,
      ]);
  }
};

/**
 * Apply only the rows for this kind of goods. If localities decide, and no row of the place's county or city shows a
 * decision, the rate that the rule assumes is applied as the city's, and none outside of cities.
 */
const ownRowsOutcome = (table: TaxTable, row: TaxabilityRow, tax: 'food' | 'drugs'): LocalOutcome => {
  const own = table.localRows.filter((rate) => rate.tax === tax);
  const sum = (level: string) =>
    own.reduce((total, rate) => total + (rate.level === level ? rate.rate : 0), 0);
  const rates = [sum('county'), sum('city'), sum('special')] as const;
  const flags = rateFlags(own);
  const isDecided = own.some(({ level }) => level !== 'special');
  if (row.localRate === undefined || isDecided) return outcome(rates, flags);
  const rate = OUTSIDE_CITIES.test(table.place.cityName ?? '') ? 0 : row.localRate;
  const assumed = rate === 0 ? 'none was applied' : `${formatRate(rate)} was applied`;
  const differs = `Local taxes on ${tax} differ by place (${row.note}); ${assumed}.`;
  return outcome([rates[0], rate, rates[2]], [...flags, differs]);
};

/** Whether a county is listed as exempting a category from local taxes, and has the place. */
const exempts = (entry: LocalityExemption, { place, date }: TaxTable): boolean =>
  entry.county === place.county &&
  isInForce(entry, date) &&
  !(place.place !== undefined && entry.exceptPlaces.has(place.place.key));

/** Apply a state's special rules: caps and bands on the price of an item, luxury rates, local taxes on one category. */
export const withSpecialRules = (table: TaxTable, code: string, rule: UnitRule): UnitRule => {
  let result = rule;
  for (const special of table.place.state.special) {
    if (!isInForce(special, table.date)) continue;
    if (special.codes.length > 0 && !special.codes.includes(code)) continue;
    const applied = applySpecial(table, special, result);
    const doubt = `The rule ${special.kind} of ${table.place.state.code} is ${sureWords(special)} (${special.note}).`;
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
