import { formatRate, type Rate } from '../kernel/rate.ts';
import { formatRateText, type LocationRate } from './location-rate.ts';
import type { SummaryRate } from './summary-rate.ts';

/** Rates of a place as the service writes them: all numbers are rates, and go out as text. */
export const wireLocationRate = (rate: LocationRate): object =>
  Object.fromEntries(
    Object.entries(rate).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatRateText(value as Rate) : value,
    ]),
  );

/** A summary as the service writes it: here rates are numbers. */
export const wireSummaryRate = (summary: SummaryRate): object => ({
  ...summary,
  minimum_rate: wired(summary.minimum_rate),
  average_rate: wired(summary.average_rate),
});

const wired = ({ label, rate }: SummaryRate['minimum_rate']): object => ({
  label,
  rate: Number(formatRate(rate)),
});
