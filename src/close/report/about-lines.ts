import type { PeriodReport } from '../figures/period-report.ts';

/** Lists the seller, the period and the basis of the books: a label and a text each. */
export const aboutLines = (report: PeriodReport): readonly (readonly [label: string, text: string])[] => [
  ['Seller', `${report.seller} (${report.entity})`],
  ['Period', `${report.period.first} to ${report.period.last}, by business date in ${report.timeZone}`],
  ['Rates', `${ratesText(report)}. Tax service: ${report.service}`],
  ['Made by', report.program],
];

/** Describes the rates behind the expected tax: with rates of another day, the figures mean something else. */
const ratesText = ({ todaysRates }: PeriodReport): string =>
  todaysRates === 0
    ? 'Those in force on the day of each sale'
    : `Today's rates, not those of the day of sale, for ${todaysRates} ${todaysRates === 1 ? 'sale' : 'sales'}: the service does not say that it calculates as of a day`;
