import type { PeriodReport } from '../figures/period-report.ts';

/** Lists the seller, the period and the basis of the books: a label and a text each. */
export const aboutLines = (report: PeriodReport): readonly (readonly [label: string, text: string])[] => [
  ['Seller', `${report.seller} (${report.entity})`],
  ['Period', `${report.period.first} to ${report.period.last}, by business date in ${report.timeZone}`],
  [
    'Rates',
    `${ratesText(report)}${report.oldRates.length === 0 ? '' : `. Local rates are ${oldRatesText(report)}`}. Tax service: ${report.service}`,
  ],
  ['Made by', report.program],
];

/** Says until when local rates are known where that leaves out days of the period: `known until 2026-03-31 in CA, GA`. */
export const oldRatesText = ({ oldRates }: Pick<PeriodReport, 'oldRates'>): string =>
  [...Map.groupBy(oldRates, ({ known }) => known)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([known, rows]) => `${known} in ${rows.map(({ state }) => state).join(', ')}`)
    .join(', ')
    .replaceAll(', known until', ', until');

/** Describes the rates behind the expected tax: with rates of another day, the figures mean something else. */
const ratesText = ({ todaysRates }: PeriodReport): string =>
  todaysRates === 0
    ? 'Those in force on the day of each sale'
    : `Today's rates, not those of the day of sale, for ${todaysRates} ${todaysRates === 1 ? 'sale' : 'sales'}: the service does not say that it calculates as of a day`;
