import type { ShopTotals } from '../close/reconcile/expected-totals.ts';
import type { Materiality } from '../close/reconcile/period-totals.ts';
import { scaled } from '../kernel/decimal.ts';
import { parseMoney, RATE_ONE, rate, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the totals that the channels' shops show for exactly this period. */
export const shopTotals = (
  { channels }: ClosePorts['configuration'],
  { label }: FilingPeriod,
): readonly ShopTotals[] =>
  channels.flatMap(({ name, expected }) =>
    expected
      .filter(({ period }) => period === label)
      .map(({ orders, refunds, gross, tax }) => ({
        channel: name,
        orders,
        refunds,
        gross: gross === undefined ? undefined : parseMoney(gross),
        tax: tax === undefined ? undefined : parseMoney(tax),
      })),
  );

/** Returns the variance from which a line is material. */
export const materialityOf = ({ materiality }: ClosePorts['configuration']['policy']): Materiality => ({
  amount: parseMoney(materiality.amount) ?? ZERO,
  // A percentage with three decimals is a fraction with five.
  share: rate((scaled(materiality.percent, 3) ?? 0) * (RATE_ONE / 100_000)),
});
