import { rateSourcesOf } from '../ask/coverage.ts';
import type { EarlierOrder, Frame } from '../evidence/frame.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import { companionInput } from '../figures/period-report.ts';
import type { ShopTotals } from '../judge/expected-totals.ts';
import { inKeyOrder, type Materiality } from '../judge/period-totals.ts';
import { withRefund } from '../judge/refund-link.ts';
import { scaled } from '../kernel/decimal.ts';
import { parseMoney, RATE_ONE, rate, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { RefundedOrderOf } from '../read/shapes.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import { type Beside, findingsBeside } from './findings-beside.ts';
import type { Close } from './reading.ts';

/** Returns all that the books of a period say beside its entries. */
export const frameOf = (
  { ports, period, exports }: Pick<Close, 'ports' | 'period' | 'exports'>,
  settings: Pick<Frame, 'decisions' | 'late' | 'lockedDays' | 'certificates'>,
  sums: PeriodSums,
  beside: Beside,
): Frame => {
  const { configuration, serviceId: service, program } = ports;
  const { policy, timeZone, entity, name: seller } = configuration;
  const { refunded, certificates: files } = exports;
  const { earlier, ledger } = beside;
  const { registrations } = earlier;
  const { totals } = sums;
  const late = new Set(settings.late);
  return {
    seller,
    entity,
    period,
    timeZone,
    service,
    program,
    registrations,
    configured: registrations,
    unexplainedTolerance: parseMoney(policy.unexplained) ?? ZERO,
    materiality: materialityOf(policy),
    ...(policy.detailRows !== undefined && { detailRowsMax: policy.detailRows }),
    ...(!beside.isOver && { madeEarly: true }),
    ...(ports.workingPapers && { workingPapers: true }),
    rateSources: rateSourcesOf(ports, period, inKeyOrder(totals.states)),
    ...earlier.months,
    inputs: [
      ...exports.inputs,
      ...files.map((file) => companionInput(file, 'certificates')),
      ...(ledger ? [ledger.input] : []),
    ],
    ...(ledger && { ledger: ledger.ledger }),
    ...(earlier.laterCharges.length > 0 && { laterCharges: earlier.laterCharges }),
    earlier: earlier.trend,
    ...settings,
    undecided: beside.undecided,
    shopTotals: shopTotals(configuration, period),
    findings: findingsBeside(ports, period, exports, sums, beside),
    orders: sums.refunds.missingOrders().flatMap((key) => {
      const found = refunded.get(key);
      return (found && earlierOrder(key, found, period, late)) ?? [];
    }),
  };
};

/** Returns the totals that the channels' shops show for exactly this period. */
const shopTotals = (
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
const materialityOf = ({ materiality }: ClosePorts['configuration']['policy']): Materiality => ({
  amount: parseMoney(materiality.amount) ?? ZERO,
  // A percentage with three decimals is a fraction with five.
  share: rate((scaled(materiality.percent, 3) ?? 0) * (RATE_ONE / 100_000)),
});

/**
 * Returns an order that is not among the entries, with what its refunds before the period gave back.
 *
 * @param late the keys of the records of which the period has a late version: those count in it
 */
const earlierOrder = (
  key: string,
  { order, noSale, refunds }: RefundedOrderOf,
  { first }: FilingPeriod,
  late: ReadonlySet<string>,
): EarlierOrder | undefined => {
  if (!order) return noSale === undefined ? undefined : { key, noSale };
  const { channel } = nameOfKey(key);
  const earlier = refunds.filter(
    ({ id, businessDate }) => businessDate < first && !late.has(saleKey(channel, 'refund', id)),
  );
  const before = earlier.reduce<ReturnType<typeof withRefund> | undefined>(withRefund, undefined);
  return { key, order, ...(before && { before }) };
};
