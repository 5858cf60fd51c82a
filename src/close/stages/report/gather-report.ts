import { scaled } from '../../../kernel/decimal-text.ts';
import { parseMoney, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { RATE_ONE, rate } from '../../../kernel/rate.ts';
import { type Frame, framePieces } from '../../evidence/frame.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { EvidenceLogs } from '../../evidence/logs.ts';
import { reportOf } from '../../evidence/reduce.ts';
import type { FilingFigures } from '../../figures/filing-figures.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { FilingRegistration } from '../../filing/registration.ts';
import { undecidedFor } from '../../periods/answered-locks.ts';
import { balancesTakenOver } from '../../periods/balances-taken-over.ts';
import { besideDigest, figuresDigest } from '../../periods/closing.ts';
import { countedRegistrations } from '../../periods/counted-registrations.ts';
import { exportsDigestOf } from '../../periods/exports-digests-of.ts';
import { linesOfItems } from '../../periods/late-lines.ts';
import { rejectsAmong, setAsidesOf } from '../../periods/rejects-of.ts';
import type { TakenOver } from '../../periods/taken-over.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import type { ShopTotals } from '../../reconcile/expected-totals.ts';
import type { Materiality } from '../../reconcile/materiality.ts';
import { inKeyOrder } from '../../reconcile/period-totals.ts';
import type { RefundLink } from '../../reconcile/refund-link.ts';
import type { Rejects } from '../../report/write-rejects.ts';
import type { CountedPages } from '../../workbook/sheet.ts';
import { rowsOfEarlierReadings } from '../../workspace/earlier-readings.ts';
import { hasWorkingPapers, samplingPlan } from '../book-pages/sampling-plan.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { findingsOfBalances } from './balance-findings.ts';
import { type Completions, completionsOf, unknownReturns, withCompletions } from './completions.ts';
import { withFiledBefore } from './filed-before.ts';
import { filingRegistrations, withSecondary } from './filing-registrations.ts';
import { gatherRecorded } from './gather-recorded.ts';
import { type GatheredSales, gatherSales } from './gather-sales.ts';
import { inputsOf } from './inputs-of.ts';
import { refundsOfLateOrders } from './late-orders.ts';
import { ledgerOf } from './ledger-of.ts';
import { oldRatesOf } from './old-rates.ts';
import { openAmendments } from './open-amendments.ts';
import { possibleDoubles } from './possible-doubles.ts';
import { earlierOrders } from './refund-links.ts';
import { silentChannels } from './silent-channels.ts';
import { taxGivenBack } from './tax-given-back.ts';
import { earlierPeriods, monthsBehind } from './trend-of.ts';
import { withUsedLater } from './used-later.ts';
import { withdrawnDecisions } from './withdrawn-decisions.ts';

export type GatheredReport = {
  readonly report: PeriodReport;
  /** Digest of the sales of the period with their figures, and of the records set aside. */
  readonly figures: string;
  /** Digest of what counts beside the sales. */
  readonly beside: string;
  /** Digest of what the exports state of the period. */
  readonly stated: string;
  readonly filing: FilingFigures;
  /** What the returns take over from other periods. */
  readonly takenOver: TakenOver;
  /** The registrations with a return for the period. */
  readonly registrations: readonly FilingRegistration[];
  /** The rejected rows of each input. */
  readonly rejects: readonly Rejects[];
  /** The refunds of the period with their orders. */
  readonly refunds: CountedPages<RefundLink>;
};

/**
 * Adds up all figures of the workbooks of a period, in one pass over its sales and one over the records. The same passes
 * write the logs of the evidence.
 */
export const gatherReport = async (
  ports: ClosePorts,
  period: FilingPeriod,
  logs: EvidenceLogs,
  madeEarly: PeriodReport['madeEarly'],
): Promise<GatheredReport> => {
  const sales = await gatherSales(ports, period, logs);
  const { sums } = sales;
  const { workspace, configuration } = ports;
  const configured = await countedRegistrations(workspace, configuration.registrations, period);
  const counted = { ...ports, configuration: { ...configuration, registrations: [...configured] } };
  const completions = await completionsOf(workspace, period, configured);
  const takenOver = await balancesTakenOver(workspace, configured, period);
  const asides = await setAsidesOf(workspace, period);
  await logs.write({ 'set-aside': logPiece(asides.map((aside) => JSON.stringify(aside))) });
  asides.forEach(sums.addAside);
  const unshown = await gatherRecorded(ports, period, sums, logs);
  const others = { completions, takenOver, madeEarly, unshown, configured: configuration.registrations };
  const frame = await frameOf(counted, period, sales, others);
  const report = reportOf(frame, sums);
  const known = filingRegistrations(configured, period, takenOver);
  const filing = withCompletions(withSecondary(known, report, ports.service.coverage), completions);
  const registrations = await withFiledBefore(
    workspace,
    period,
    configured,
    withUsedLater(filing, sums.filing, report),
  );
  const rejects = await rejectsAmong(workspace, asides);
  const rejected = rejects.map(({ records: _, ...input }) => input);
  for (const piece of framePieces({ ...frame, filing: registrations, rejected }))
    await logs.write({ report: piece });
  return {
    ...{ report, takenOver, registrations, rejects },
    figures: figuresDigest(sales.figures, asides),
    beside: besideDigest(report),
    stated: exportsDigestOf(sales.stated, asides),
    filing: sums.filing,
    refunds: sums.links(frame.orders),
  };
};

/** What the returns take from those of other periods, the day of the books, and records that the service does not show. */
type Others = {
  readonly completions: Completions;
  readonly takenOver: TakenOver;
  readonly madeEarly: PeriodReport['madeEarly'];
  readonly unshown: readonly DraftException[];
  readonly configured: Frame['configured'];
};

/** Returns what the books are drawn from beside the sums. */
const frameOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { sums, settings, alike, registerProblems, registerInputs }: GatheredSales,
  { completions, takenOver, madeEarly, unshown, configured }: Others,
): Promise<Frame> => {
  const { configuration, workspace, serviceId, program } = ports;
  const { policy, registrations } = configuration;
  const ledger = await ledgerOf(workspace, period);
  const inputs = [
    ...(await inputsOf(workspace, await rowsOfEarlierReadings(workspace, period))),
    ...registerInputs,
    ...(ledger ? [ledger.input] : []),
  ];
  const findings = [
    ...registerProblems,
    ...(await possibleDoubles(ports, period, { inputs, alike })),
    ...(await openAmendments(workspace, period)),
    ...(await findingsOfBalances(ports, period, takenOver)),
    ...unknownReturns(completions, registrations, period),
    ...(await withdrawnDecisions(ports, period)),
    ...(ledger?.problems ?? []),
    ...unshown,
    ...(await refundsOfLateOrders(ports, period, sums.late)),
    ...(await taxGivenBack(ports, period, sums)),
    ...(await silentChannels(ports, period, sums.channels.selling())),
  ];
  const { numbers } = configuration.decided;
  return {
    seller: configuration.name,
    entity: configuration.entity,
    ...{ period, timeZone: configuration.timeZone, service: serviceId, program, registrations, configured },
    ...(madeEarly && { madeEarly }),
    unexplainedTolerance: parseMoney(policy.unexplained) ?? ZERO,
    materiality: materialityOf(policy),
    ...(policy.detailRows !== undefined && { detailRowsMax: policy.detailRows }),
    oldRates: oldRatesOf(ports, period, inKeyOrder(sums.totals.states)),
    ...((await hasWorkingPapers(ports, period)) && { sampling: samplingPlan(ports, period) }),
    ...(await monthsBehind(workspace, period)),
    inputs,
    ...(ledger && { ledger: ledger.ledger }),
    earlier: await earlierPeriods(workspace, period),
    ...settings,
    numbers: Object.fromEntries(
      Object.entries(numbers).filter(([key]) => key.startsWith(`${period.label} `)),
    ),
    undecided: await linesOfItems(workspace, await undecidedFor(workspace, period)),
    shopTotals: shopTotals(configuration, period),
    findings,
    orders: await earlierOrders(workspace, period, sums.missingOrders()),
  };
};

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
