import { cellOf } from '../workbook/cell.ts';
import type { Line } from '../workbook/sheet.ts';
import type { PeriodReport } from './period-report.ts';

/** Whose books these are, for when, and what they were made with: the head of every README sheet. */
export const aboutLines = (report: PeriodReport): readonly Line[] => [
  { label: 'Seller', value: cellOf('text', `${report.seller} (${report.entity})`) },
  {
    label: 'Period',
    value: cellOf(
      'text',
      `${report.period.first} to ${report.period.last}, business dates in ${report.timeZone}`,
    ),
  },
  { label: 'Tax service', value: cellOf('text', report.service) },
  { label: 'Rates', value: cellOf('text', ratesText(report)) },
  { label: 'Made by', value: cellOf('text', report.program) },
];

/** What the expected tax was calculated with: another law is another statement. */
export const ratesText = ({ todaysRates }: PeriodReport): string =>
  todaysRates === 0
    ? 'Those in force on the day of each sale'
    : `Today's rates, not those of the day of sale, for ${todaysRates} ${todaysRates === 1 ? 'sale' : 'sales'}: the service does not say that it calculates as of a day`;
