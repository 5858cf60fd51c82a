import type { Money } from '../../kernel/money.ts';
import { RATE_ONE, type Rate } from '../../kernel/rate.ts';

/** From where on a variance matters: above the amount, and above the share of the tax that was expected. */
export type Materiality = { readonly amount: Money; readonly share: Rate };

export const isMaterial = (variance: Money, expected: Money, { amount, share }: Materiality): boolean => {
  const magnitude = BigInt(Math.abs(variance));
  return (
    magnitude > BigInt(amount) && magnitude * BigInt(RATE_ONE) > BigInt(Math.abs(expected)) * BigInt(share)
  );
};
