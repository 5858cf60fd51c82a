import type { CaBreakdown } from '../../contract/tax-result.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { rate } from '../../kernel/money.ts';
import { isInForce, nearest } from '../content/dated.ts';
import { cityLabel } from '../content/place-name.ts';
import { isHarmonized } from '../content/region-names.ts';
import type { CountryContent, CountryRate } from '../content/tax-content.ts';
import type { FullAddress } from './address.ts';
import { codeRules } from './country-rules.ts';
import type { NexusBasis } from './nexus.ts';
import type { Order } from './order.ts';
import type { OrderTax } from './order-tax.ts';
import { centsOfBase, centsOfRaw, type RawTax } from './raw-tax.ts';
import { explainedRate, type TaxPlan } from './tax-plan.ts';
import { breakdownBy } from './us-breakdown.ts';

const LEVELS = ['gst', 'pst', 'qst'] as const;

/**
 * Plan the tax of an order to a Canadian province: at the destination, wherever in the country the nexus is. The tax of
 * Quebec is collected only with nexus in Quebec.
 */
export const canadaPlan = (
  content: CountryContent,
  order: Order,
  to: FullAddress,
  nexus: NexusBasis,
  date: CalendarDate,
): TaxPlan => {
  const rows = content.provinces.get(to.state) ?? [];
  const found = provinceRates(rows, date);
  const hasQuebecNexus = nexus.holdsIn('CA', 'QC');
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
    explain: () => ({
      precision: 'state',
      jurisdictions: found.flatMap((row) => (row ? [jurisdiction(to.state, row)] : [])),
      notes: [],
      freightNotes: [],
      freightFlags: [],
      fees: [],
      flags: [
        ...(rows.length === 0 ? [`No rates of ${to.state} are known: nothing could be calculated.`] : []),
        ...(to.state === 'QC' && !hasQuebecNexus
          ? ['Without nexus in Quebec only the GST was applied.']
          : []),
      ],
    }),
  };
};

/** Return the rates of a province on a day in the order of the levels, regardless of who has to collect them. */
export const provinceRates = (
  rows: readonly CountryRate[],
  date: CalendarDate,
): readonly (CountryRate | undefined)[] => LEVELS.map((level) => rowFor(rows, level, date));

const rowFor = (rows: readonly CountryRate[], tax: string, date: CalendarDate): CountryRate | undefined => {
  const own = rows.filter((row) => row.tax === tax);
  return own.find((row) => isInForce(row, date)) ?? nearest(own, date);
};

const jurisdiction = (province: string, row: CountryRate) => ({
  level: row.tax,
  name: row.tax === 'gst' ? 'Canada' : province,
  code: row.tax === 'gst' ? 'CA' : province,
  ...explainedRate(row),
});

/** Print the figures of an order in Canada: levels are gst, pst and qst; the provincial part of an HST is pst. */
const canadaBreakdown: (order: Order, tax: OrderTax) => CaBreakdown = breakdownBy(
  ({ bases, rates, raws }) => ({
    gst_taxable_amount: centsOfBase(bases[0] as number),
    gst_tax_rate: rate(rates[0] as number),
    gst: centsOfRaw(raws[0] as RawTax),
    pst_taxable_amount: centsOfBase(bases[1] as number),
    pst_tax_rate: rate(rates[1] as number),
    pst: centsOfRaw(raws[1] as RawTax),
    qst_taxable_amount: centsOfBase(bases[2] as number),
    qst_tax_rate: rate(rates[2] as number),
    qst: centsOfRaw(raws[2] as RawTax),
  }),
);
