import { rateSourcesOf, withPlaces } from '../ask/coverage.ts';
import type { RegisterFile } from '../certificates/read-register.ts';
import { decisionIndexOf } from '../configuration/load-configuration.ts';
import type { EarlierOrder, Frame } from '../evidence/frame.ts';
import type { GoneFile } from '../evidence/manifest.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import type { LateLine } from '../figures/late-line.ts';
import { companionInput, type PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import { channelRecord, type ShopTotals } from '../judge/expected-totals.ts';
import { type Finding, finding } from '../judge/finding.ts';
import { inKeyOrder, type Materiality } from '../judge/period-totals.ts';
import type { doublesByDay } from '../judge/possible-doubles.ts';
import { withRefund } from '../judge/refund-link.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { scaled } from '../kernel/decimal.ts';
import { parseMoney, RATE_ONE, rate, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isAmendmentLabel } from '../kernel/period.ts';
import { filingRegistrations, withCompletions } from '../periods/balances.ts';
import type { ClosePorts } from '../periods/close-ports.ts';
import type { EarlierPeriods, ledgerOf } from '../periods/earlier.ts';
import { statedFor } from '../periods/filings.ts';
import { creditsLeft, refundsOfLateOrders, taxGivenBack } from '../periods/return-findings.ts';
import type { Exports, RefundedOrderOf } from '../read/shapes.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import { findingsOfGone } from './gone.ts';
import type { Close } from './reading.ts';
import type { Strays } from './strays.ts';

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
    findings: [
      ...files.flatMap(problemsOf),
      ...beside.doubles.findings(period),
      ...earlier.findings,
      ...beside.ofReturns,
      ...refundsOfLateOrders(sums.late, refunded, beside.lockedUntil),
      ...beside.findings,
      ...(ledger?.problems ?? []),
      ...findingsOfGone(beside.gone, decisionIndexOf(configuration)),
      ...silentAmong(configuration, period, sums.channels.selling(), exports),
    ],
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

/** What is known of a period beside its sales. */
export type Beside = {
  readonly strays: Strays;
  readonly doubles: ReturnType<typeof doublesByDay>;
  readonly earlier: EarlierPeriods;
  readonly ledger: Awaited<ReturnType<typeof ledgerOf>>;
  /** What late items would change that await a decision. */
  readonly undecided: readonly LateLine[];
  /** What else locked periods leave open. */
  readonly findings: readonly Finding[];
  readonly isOver: boolean;
  readonly gone: readonly GoneFile[];
  /** The last day of the last locked period. */
  readonly lockedUntil: CalendarDate | undefined;
  /** What follows from the figures of its returns. */
  readonly ofReturns: readonly Finding[];
};

const problemsOf = ({ problems }: RegisterFile): readonly Finding[] =>
  problems.map(({ code, message, ...about }) => finding(code, message, about));

/** A channel that sold within this many days before the period counts as active when the period began. */
const DAYS_BEFORE = 30;

/**
 * Returns exceptions for channels that sold until shortly before the period, but not in it, or for the period if none
 * sold in it: the export of the period may have been forgotten.
 */
const silentAmong = (
  { channels }: ClosePorts['configuration'],
  period: FilingPeriod,
  selling: ReadonlySet<string>,
  { inputs, sales }: Exports,
): readonly Finding[] => {
  if (isAmendmentLabel(period.label)) return [];
  // A month without an order is more often a forgotten export than a quiet month, so a person has to confirm it.
  if (selling.size === 0)
    return [
      finding('no-sales', 'none of the exports holds an order of the period', { record: period.label }),
    ];
  const from = addDays(period.first, -DAYS_BEFORE);
  const before = sales.days().filter((day) => from <= day && day < period.first);
  return channels.flatMap(({ name }): readonly Finding[] => {
    if (selling.has(name)) return [];
    const last = before.findLast((day) =>
      sales.read(day).some(({ sale }) => sale.channel === name && sale.kind === 'order'),
    );
    // A file that locked periods have settled is not read, and has no rows here.
    const files = inputs.filter(({ channel }) => channel === name);
    const isEmpty = files.length > 0 && files.every(({ rows }) => rows === 0);
    if (last === undefined && !isEmpty) return [];
    const why = last === undefined ? '' : `, and their last one before it is of ${last}`;
    const message = `the exports of "${name}" hold no order of the period${why}`;
    return [finding('no-channel-sales', message, { record: channelRecord(name, period) })];
  });
};

/** Gathers what the returns of a period take over from those before, and what follows from their figures. */
export const gatherReturns = (
  { ports, period, exports: { refunded } }: Pick<Close, 'ports' | 'period' | 'exports'>,
  earlier: EarlierPeriods,
  { refunds: { beyond }, filing, totals }: PeriodSums,
) => {
  const { registrations, completions, stated } = earlier;
  const taking = filingRegistrations(registrations, period, earlier.takenOver);
  const before = taking.map((one) => ({
    ...one,
    ...earlier.filedBefore.get(one.state),
    ...statedFor(one.state, stated),
  }));
  return {
    findings: [
      ...taxGivenBack(registrations, period, { ...earlier, beyond, filing, refunded }),
      ...creditsLeft(period, {
        returns: withCompletions(before, completions),
        filing,
        jurisdictions: inKeyOrder(totals.jurisdictions),
      }),
    ],
    /** Returns the registrations as the returns are drawn from them. */
    filed: (report: PeriodReport): readonly FilingRegistration[] =>
      withCompletions(withPlaces(before, report, ports), completions),
  };
};
