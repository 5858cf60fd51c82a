import { cityLabel, isHarmonized } from '../content/region-names.ts';
import {
  type CodeRate,
  type CountryContent,
  type DatedRate,
  inForce,
  isInForce,
  nearest,
  type Territory,
} from '../content/tax-content.ts';
import type { CaBreakdown, CountryBreakdown, TaxSource } from '../contract/tax-result.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { formatRate, rate } from '../kernel/money.ts';
import type { FullAddress, Order } from './order.ts';
import { at, type OrderTax, plainRule, type UnitRule } from './order-tax.ts';
import type { OrderToTax, TaxPlan } from './tax-plan.ts';
import { sureWords } from './tax-table.ts';
import { base, breakdownBy, cents } from './us-tax.ts';

type Situs = {
  readonly content: CountryContent;
  readonly address: FullAddress;
  readonly source: TaxSource;
};

/**
 * Plan the tax of an order to a country with one tax. With nexus at the destination, the destination's rate applies.
 * Without it, within one VAT area, the rate of the seller's own country applies, from which it ships. `undefined`
 * without nexus in either.
 */
export const countryPlan = (destination: CountryContent, given: OrderToTax): TaxPlan | undefined => {
  const { order, date } = given;
  const situs = situsOf(destination, given);
  if (!situs) return undefined;
  const { row, territory } = countryRateAt(situs.content, situs.address.zip, date);
  const at = { rates: [row?.rate ?? 0], date, region: territory?.name ?? '', isHarmonized: false };
  const lineRules = codeRules(situs.content, order, at);
  const { code } = situs.content;
  return {
    source: situs.source,
    jurisdictions: {
      country: code,
      ...(destination.vatArea !== '' && situs.address.city !== '' && { city: cityLabel(situs.address.city) }),
    },
    rules: { lineRules, rates: at.rates, freight: 'with-taxable-lines', isFreightInLimits: false },
    print: countryBreakdown,
    doubts: () => (row ? [] : [`No rate of ${code} is known: nothing could be calculated.`]),
  };
};

/** Return the rate of a country on a day, or of a territory with its own rate if the postal code is in one. */
const countryRateAt = (
  { territories, rates }: CountryContent,
  zip: string,
  date: CalendarDate,
): { readonly row: DatedRate | undefined; readonly territory: Territory | undefined } => {
  const postcode = zip.replace(/[^0-9A-Za-z]/g, '');
  const territory = territories.find((part) => isInForce(part, date) && part.postcodes.test(postcode));
  return { row: territory ?? inForce(rates, date) ?? nearest(rates, date), territory };
};

const situsOf = (
  destination: CountryContent,
  { content, to, from, nexus }: OrderToTax,
): Situs | undefined => {
  if (nexus(destination.code)) return { content: destination, address: to, source: 'destination' };
  const origin = from && content.countries.get(from.country);
  if (!origin || !from || destination.vatArea === '' || origin.vatArea !== destination.vatArea)
    return undefined;
  return nexus(origin.code) ? { content: origin, address: from, source: 'origin' } : undefined;
};

/** Print the figures of an order in a country with one tax. */
const countryBreakdown: (order: Order, tax: OrderTax) => CountryBreakdown = breakdownBy(
  ({ bases, rates, raws }) => ({
    country_taxable_amount: base(bases, 0),
    country_tax_rate: rate(at(rates, 0)),
    country_tax_collectable: cents(raws, 0),
  }),
);

/** The category that sellers use for goods that are exempt for a special reason; it applies in every country. */
const EXEMPT_CODE = '99999';

/** Where and when a country taxes: its rates by level, and its territory if that has its own rates. */
type CountryPlace = {
  readonly rates: readonly number[];
  readonly date: CalendarDate;
  readonly region: string;
  /** Whether the second rate is the part of a province in a tax that it shares with the country. */
  readonly isHarmonized: boolean;
};

/** Return the rules of lines in a country that has separate rates for categories. */
export const codeRules = (
  content: CountryContent,
  order: Order,
  place: CountryPlace,
): readonly UnitRule[] => {
  const standard = plainRule(place.rates);
  return order.lines.map(({ code }) => (code === '' ? standard : ruleOfCode(content, place, code)));
};

const ruleOfCode = (content: CountryContent, place: CountryPlace, code: string): UnitRule => {
  if (code === EXEMPT_CODE) return plainRule(place.rates.map(() => 0));
  const rows = (content.codeRates.get(code) ?? []).filter((candidate) => isInForce(candidate, place.date));
  // A province is part of its country; a territory with its own rates is not.
  const ofCountry = content.kind === 'provinces' ? rows.find(({ region }) => region === '') : undefined;
  const row = rows.find(({ region }) => region === place.region) ?? ofCountry;
  return row ? ruleOfRow(content, place, code, row) : standardRule(content, place, code);
};

const standardRule = (
  { code: country }: CountryContent,
  { rates, region }: CountryPlace,
  code: string,
): UnitRule => {
  if (rates.every((rate) => rate === 0)) return plainRule(rates);
  const where = region === '' ? country : `${region} (${country})`;
  return plainRule(rates, [`The rate of ${where} for category ${code} is not known: taxed in full.`]);
};

const ruleOfRow = (
  { code: country }: CountryContent,
  place: CountryPlace,
  code: string,
  row: CodeRate,
): UnitRule => {
  const rule = plainRule(
    place.rates.map((rate, level) => {
      if (level === 0) return row.rate;
      return row.taxes === 'all' || place.isHarmonized ? 0 : rate;
    }),
  );
  if (row.doubtful) {
    const why = `The rate of ${country} for category ${code} is ${sureWords(row)}: ${formatRate(row.rate)} was applied.`;
    return { ...rule, flags: [why] };
  }
  if (rule.rates.slice(1).every((rate) => rate === 0)) return rule;
  const own = `Whether the tax of the province itself applies to category ${code} is not known: taxed in full.`;
  return { ...rule, flags: [own] };
};

const LEVELS = ['gst', 'pst', 'qst'] as const;

/**
 * Plan the tax of an order to a Canadian province: at the destination, wherever in the country the nexus is. The tax of
 * Quebec is collected only with nexus in Quebec.
 */
export const canadaPlan = (content: CountryContent, { order, to, nexus, date }: OrderToTax): TaxPlan => {
  const rows = content.provinces.get(to.state) ?? [];
  const found = LEVELS.map((level) => {
    const own = rows.filter(({ tax }) => tax === level);
    return own.find((row) => isInForce(row, date)) ?? nearest(own, date);
  });
  const hasQuebecNexus = nexus('CA', 'QC');
  const rates = found.map((row) => (row?.tax === 'qst' && !hasQuebecNexus ? 0 : (row?.rate ?? 0)));
  const at = { rates, date, region: to.state, isHarmonized: isHarmonized(to.state) };
  const lineRules = codeRules(content, order, at);
  return {
    source: 'destination',
    jurisdictions: {
      country: 'CA',
      state: to.state,
      ...(to.city !== '' && { city: cityLabel(to.city) }),
    },
    rules: { lineRules, rates: at.rates, freight: 'with-taxable-lines', isFreightInLimits: false },
    print: canadaBreakdown,
    doubts: () => [
      ...(rows.length === 0 ? [`No rates of ${to.state} are known: nothing could be calculated.`] : []),
      ...(to.state === 'QC' && !hasQuebecNexus ? ['Without nexus in Quebec only the GST was applied.'] : []),
    ],
  };
};

/** Print the figures of an order in Canada: levels are gst, pst and qst; the provincial part of an HST is pst. */
const canadaBreakdown: (order: Order, tax: OrderTax) => CaBreakdown = breakdownBy(
  ({ bases, rates, raws }) => ({
    gst_taxable_amount: base(bases, 0),
    gst_tax_rate: rate(at(rates, 0)),
    gst: cents(raws, 0),
    pst_taxable_amount: base(bases, 1),
    pst_tax_rate: rate(at(rates, 1)),
    pst: cents(raws, 1),
    qst_taxable_amount: base(bases, 2),
    qst_tax_rate: rate(at(rates, 2)),
    qst: cents(raws, 2),
  }),
);
