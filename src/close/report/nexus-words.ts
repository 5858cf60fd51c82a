import { type FilingPeriod, monthIndex } from '../../kernel/period.ts';

/** Says why no threshold was measured: a month counts with its own close, the months of a longer period with theirs. */
export const notMeasured = ({ first, last }: Pick<FilingPeriod, 'first' | 'last'>): string =>
  monthIndex(first) === monthIndex(last)
    ? 'Not measured: no sale into a state with a threshold is known of this month, or of a month that was closed here before it.'
    : 'Not measured: thresholds are measured by months, and no month with sales into a state with a threshold was closed here up to the end of this period. Close the months, and this period again.';
