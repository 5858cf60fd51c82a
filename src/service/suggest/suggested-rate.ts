import { stringify } from 'csv-stringify/sync';
import type { LocalLevel } from '../../contract/content-coverage.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import { formatRate, type Rate } from '../../kernel/rate.ts';

/** The evidence for a suggested rate, or for a tax without a suggestion. */
export type Evidence = {
  readonly sales: number;
  /** Places of the sales, sorted. */
  readonly places: readonly string[];
  /** The part of the variance of the sales that is due to the tax. */
  readonly amount: Money;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** One of the records, for a person to check. */
  readonly example: string;
};

/** A row for the table of local rates, as the shop charged it. */
export type SuggestedRate = {
  readonly state: string;
  readonly level: LocalLevel;
  readonly code: string;
  readonly name: string;
  readonly scope: 'county' | 'place';
  /** Three-digit county codes. */
  readonly counties: readonly string[];
  readonly places: readonly string[];
  readonly rate: Rate;
  readonly from: CalendarDate;
  /** Empty when the rate still applies. */
  readonly to: string;
  /** Whether tax lines of the shop name the tax, or sales agree on one rate for all missing taxes. */
  readonly by: 'lines' | 'agreement';
  readonly evidence: Evidence;
};

/** A tax that the shop charged and for which no row can be drafted. */
export type UnresolvedTax = {
  readonly state: string;
  readonly name: string;
  readonly rate: Rate | null;
  readonly why: string;
  readonly evidence: Evidence;
};

export type DraftedRates = {
  readonly rates: readonly SuggestedRate[];
  readonly unresolved: readonly UnresolvedTax[];
};

const HEADER = [
  'state',
  'level',
  'code',
  'name',
  'rate',
  'from',
  'to',
  'scope',
  'counties',
  'places',
  'source',
  'confidence',
  'seen',
  'note',
  'evidence_sales',
  'evidence_places',
  'evidence_tax',
  'evidence_first',
  'evidence_last',
  'evidence_example',
] as const;

/** Write the suggested rates in the neutral layout, for a person to review and `tieout content import` to read. */
export const suggestionFile = (
  rates: readonly SuggestedRate[],
  { entity, period }: { readonly entity: string; readonly period: string },
): string =>
  stringify([HEADER, ...rates.map((each) => rowOf(each, `sales of ${entity} in ${period}`))], {
    escape_formulas: true,
  });

const rowOf = (row: SuggestedRate, source: string): readonly string[] => {
  const { sales, places, amount, first, last, example } = row.evidence;
  return [
    row.state,
    row.level,
    row.code,
    row.name,
    formatRate(row.rate),
    row.from,
    row.to,
    row.scope,
    row.counties.join(' '),
    row.places.join(';'),
    source,
    'shop',
    last,
    `${row.by === 'lines' ? 'tax lines of the shop' : 'a rate on which sales agree'}, ${first} to ${last}`,
    String(sales),
    places.join('; '),
    formatMoney(amount),
    first,
    last,
    example,
  ];
};
