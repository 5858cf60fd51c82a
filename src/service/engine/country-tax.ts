import type { CountryBreakdown, TaxSource } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { rate } from '../../kernel/money.ts';
import { inForce, isInForce, nearest } from '../content/dated.ts';
import { cityLabel } from '../content/place-name.ts';
import type { CountryContent, DatedRate, TaxContent, Territory } from '../content/tax-content.ts';
import type { FullAddress } from './address.ts';
import { codeRules } from './country-rules.ts';
import type { NexusBasis } from './nexus.ts';
import type { Order } from './order.ts';
import type { OrderTax } from './order-tax.ts';
import { centsOfBase, centsOfRaw, type RawTax } from './raw-tax.ts';
import { explainedRate, type TaxPlan } from './tax-plan.ts';
import { breakdownBy } from './us-breakdown.ts';

type Situs = { readonly content: CountryContent; readonly address: FullAddress; readonly source: TaxSource };

/**
 * Plan the tax of an order to a country with one tax. With nexus at the destination, the destination's rate applies.
 * Without it, within one VAT area, the rate of the seller's own country applies, from which it ships. `undefined`
 * without nexus in either.
 */
export const countryPlan = (
  content: TaxContent,
  destination: CountryContent,
  order: Order,
  to: FullAddress,
  from: FullAddress | undefined,
  nexus: NexusBasis,
  date: CalendarDate,
): TaxPlan | undefined => {
  const situs = situsOf(content, destination, to, from, nexus);
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
    explain: () => ({
      precision: 'country',
      jurisdictions: row ? [jurisdiction(code, territory?.name ?? code, row)] : [],
      notes: [],
      freightNotes: [],
      freightFlags: [],
      fees: [],
      flags: row ? [] : [`No rate of ${code} is known: nothing could be calculated.`],
    }),
  };
};

/** Return the rate of a country on a day, or of a territory with its own rate if the postal code is in one. */
export const countryRateAt = (
  { territories, rates }: CountryContent,
  zip: string,
  date: CalendarDate,
): { readonly row: DatedRate | undefined; readonly territory: Territory | undefined } => {
  const postcode = zip.replace(/[^0-9A-Za-z]/g, '');
  const territory = territories.find((part) => isInForce(part, date) && part.postcodes.test(postcode));
  return { row: territory ?? inForce(rates, date) ?? nearest(rates, date), territory };
};

const situsOf = (
  content: TaxContent,
  destination: CountryContent,
  to: FullAddress,
  from: FullAddress | undefined,
  nexus: NexusBasis,
): Situs | undefined => {
  if (nexus.holdsIn(destination.code)) return { content: destination, address: to, source: 'destination' };
  const origin = from && content.countries.get(from.country);
  if (!origin || !from || destination.vatArea === '' || origin.vatArea !== destination.vatArea)
    return undefined;
  return nexus.holdsIn(origin.code) ? { content: origin, address: from, source: 'origin' } : undefined;
};

const jurisdiction = (code: string, name: string, row: DatedRate) => ({
  level: 'country',
  name,
  code,
  ...explainedRate(row),
});

/** Print the figures of an order in a country with one tax. */
const countryBreakdown: (order: Order, tax: OrderTax) => CountryBreakdown = breakdownBy(
  ({ bases, rates, raws }) => ({
    country_taxable_amount: centsOfBase(bases[0] as number),
    country_tax_rate: rate(rates[0] as number),
    country_tax_collectable: centsOfRaw(raws[0] as RawTax),
  }),
);
