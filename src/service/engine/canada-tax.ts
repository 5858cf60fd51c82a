import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatRate } from '../../kernel/rate.ts';
import { isHarmonized } from '../content/canadian-provinces.ts';
import { isInForce, nearest } from '../content/dated.ts';
import { cityLabel } from '../content/place-name.ts';
import type { CountryContent, CountryRate } from '../content/tax-content.ts';
import type { FullAddress } from './address.ts';
import { canadaBreakdown } from './canada-breakdown.ts';
import { codeRules } from './country-rules.ts';
import type { NexusBasis } from './nexus.ts';
import type { Order } from './order.ts';
import type { TaxPlan } from './tax-plan.ts';

const LEVELS = ['gst', 'pst', 'qst'] as const;

/**
 * How an order to a Canadian province is taxed: at the destination, wherever in the country the nexus is. The tax of
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
  const { lineRules, shippingRule } = codeRules(content, order, at);
  return {
    source: 'destination',
    jurisdictions: {
      country: 'CA',
      state: to.state,
      ...(to.city !== '' && { city: cityLabel(to.city) }),
    },
    rules: { lineRules, shippingRule, freight: 'with-taxable-lines' },
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

/** The rates of a province on a day in the order of the levels, anyone who has to collect them. */
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
  rate: formatRate(row.rate),
  from: row.from === '' ? null : row.from,
  source: row.source,
  confidence: row.confidence,
});
