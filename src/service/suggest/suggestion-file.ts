import { stringify } from 'csv-stringify/sync';
import { formatMoney } from '../../kernel/money.ts';
import { formatRate } from '../../kernel/rate.ts';
import type { SuggestedRate } from './suggested-rate.ts';

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

/** The suggested rates in the neutral layout, for a person to review and `tieout content import` to read. */
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
