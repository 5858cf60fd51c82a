import type { PeriodSums } from '../evidence/period-sums.ts';
import { type Finding, finding } from '../judge/finding.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { add, atLeastZero, formatMoney, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import { amendedLabel, type FilingPeriod } from '../kernel/period.ts';
import { isOpenIn } from '../periods/corrections.ts';
import type { Locks } from '../periods/folders.ts';
import type { LateItems } from '../periods/late.ts';
import type { RefundedOrderOf } from '../read/shapes.ts';
import { nameOfKey } from '../sales/sale-name.ts';

/** Returns what keeps an open period from being ready until a locked one is amended, or a correction has its other half. */
export const findingsOfLate = (
  { corrections, halves }: LateItems,
  locks: Locks,
  period: FilingPeriod,
): readonly Finding[] => {
  const amended = corrections.filter((one) => one.choice === 'amend' && isOpenIn(one, locks, period));
  const labels = new Set(
    amended.flatMap(({ entries }) =>
      entries.flatMap(({ place }) => ('amends' in place ? [place.amends] : [])),
    ),
  );
  return [
    ...[...labels].map((label): Finding => {
      const version = locks.periods.find((one) => one.label === label)?.version ?? 0;
      const name = amendedLabel(label, version + 1);
      const message = `Late arrival: ${name} is not locked yet: \`tieout close ${label} --amend\`, then \`tieout lock ${name}\``;
      return finding('R17', message, { record: name });
    }),
    ...halves.flatMap(({ versions }): readonly Finding[] => {
      const last = versions.at(-1);
      if (!last || !isOpenIn({ period: last.period.label }, locks, period)) return [];
      const { origin, shipTo } = last.sale;
      const message = `Late arrival: it was reversed in a locked period, and what takes its place is neither locked nor stated`;
      return [finding('R17', message, { origin, state: shipTo.state })];
    }),
  ];
};

/**
 * Returns a finding for each corrected order that comes to less now than the refunds of it that are filed: these stay
 * deducted, and the correction deducts the order once more.
 *
 * @param lockedUntil the last day of the last locked period
 */
export const refundsOfLateOrders = (
  late: PeriodSums['late'],
  refunded: ReadonlyMap<string, RefundedOrderOf>,
  lockedUntil: CalendarDate | undefined,
): readonly Finding[] =>
  [...Map.groupBy(late, ({ version }) => version.of)].flatMap(([key, versions]): readonly Finding[] => {
    const { id, channel, kind } = nameOfKey(key);
    const last = Math.max(...versions.map(({ version }) => version.number));
    const now = versions.filter(({ version }) => version.number === last);
    const standing = now.find(({ row, version }) => row.isPosted && !version.isReversal)?.row;
    const filed = (refunded.get(key)?.refunds ?? []).filter(
      ({ businessDate }) => lockedUntil !== undefined && businessDate <= lockedUntil,
    );
    const [amount, salesTax] = [standing?.gross ?? ZERO, standing?.collected ?? ZERO];
    const goods = sum(filed.map((refund) => refund.amount));
    const tax = sum(filed.map((refund) => refund.salesTax));
    const [total, back] = [add(amount, salesTax), add(goods, tax)];
    const place = standing ?? now[0]?.row;
    if (kind !== 'order' || !place || (goods <= amount && back <= total)) return [];
    const message = `${id} comes to ${formatMoney(total)} since it was corrected, and ${formatMoney(back)} of it was refunded and filed before`;
    const { file, line, record, state } = place;
    return [
      finding('late-order-refunded', message, {
        ...{ origin: { file, line, record }, state, record: id, channel },
        severity: goods > amount ? 'error' : 'warning',
        effect: negate(atLeastZero(subtract(tax, salesTax))),
      }),
    ];
  });
