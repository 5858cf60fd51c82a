import { CENTS_PER_DOLLAR } from '../kernel/money.ts';
import { RATE_ONE } from '../kernel/rate.ts';
import { numberOfScaled } from '../kernel/scaled-number.ts';
import type { TaxResult } from './tax-result.ts';

type Plain = { readonly [field: string]: unknown };

/** A result as the service writes it: JSON numbers, dollars for amounts and fractions for rates. */
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

/** All numbers of a result are amounts, but for those that are called a rate. */
const numberOf = (name: string, value: number): number =>
  numberOfScaled(value, name.endsWith('rate') ? RATE_ONE : CENTS_PER_DOLLAR);
