import { numberOfScaled } from '../kernel/decimal.ts';
import { CENTS_PER_DOLLAR, formatRate, RATE_ONE, type Rate } from '../kernel/money.ts';
import { formatRateText, type LocationRate, type SummaryRate } from './location-rate.ts';
import type { TaxResult } from './tax-result.ts';

type Plain = { readonly [field: string]: unknown };

/** Convert a result to its wire form: JSON numbers, dollars for amounts and fractions for rates. */
export const wireTax = ({ explanation, ...result }: TaxResult): object => ({
  ...(wired(result) as object),
  ...(explanation && { explanation }),
});

const wired = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(wired);
  if (value === null || typeof value !== 'object') return value;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value as Plain)) {
    fields[name] = typeof field === 'number' ? numberOf(name, field) : wired(field);
  }
  return fields;
};

/** All numbers of a result are amounts, except those whose names end in `rate`. */
const numberOf = (name: string, value: number): number =>
  numberOfScaled(value, name.endsWith('rate') ? RATE_ONE : CENTS_PER_DOLLAR);

/** Convert the rates of a place to their wire form: all numbers are rates, and are written as text. */
export const wireLocationRate = (rate: LocationRate): object =>
  Object.fromEntries(
    Object.entries(rate).map(([name, value]) => [
      name,
      typeof value === 'number' ? formatRateText(value as Rate) : value,
    ]),
  );

/** Convert a summary to its wire form: here rates are numbers. */
export const wireSummaryRate = (summary: SummaryRate): object => ({
  ...summary,
  minimum_rate: wiredRate(summary.minimum_rate),
  average_rate: wiredRate(summary.average_rate),
});

const wiredRate = ({ label, rate }: SummaryRate['minimum_rate']): object => ({
  label,
  rate: Number(formatRate(rate)),
});
