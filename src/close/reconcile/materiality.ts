import type { Money } from '../../kernel/money.ts';
import { RATE_ONE, type Rate } from '../../kernel/rate.ts';

/** Thresholds above which a variance is material: an amount, and a share of the expected tax. It must exceed both. */
export type Materiality = { readonly amount: Money; readonly share: Rate };

export const isMaterial = (variance: Money, expected: Money, { amount, share }: Materiality): boolean => {
  const magnitude = BigInt(Math.abs(variance));
  return (
    magnitude > BigInt(amount) && magnitude * BigInt(RATE_ONE) > BigInt(Math.abs(expected)) * BigInt(share)
  );
};
