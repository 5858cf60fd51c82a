import { scaled } from '../../../kernel/decimal-text.ts';
import { parseMoney, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { RATE_ONE, rate } from '../../../kernel/rate.ts';
import type { Decided } from '../../decisions/decision.ts';
import type { DecisionIndex } from '../../decisions/decision-index.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { EvidenceLogs } from '../../evidence/logs.ts';
import { reportPieces } from '../../evidence/report-log.ts';
import { exceptionsOfFees } from '../../figures/fee-figures.ts';
import type { FilingFigures } from '../../figures/filing-figures.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { FilingRegistration } from '../../filing/registration.ts';
import { differencesOf } from '../../general-ledger/roll-forward.ts';
import { undecidedFor } from '../../periods/answered-locks.ts';
import { balancesTakenOver } from '../../periods/balances-taken-over.ts';
import { besideDigest, figuresDigest } from '../../periods/closing.ts';
import { countedRegistrations } from '../../periods/counted-registrations.ts';
import { exportsDigestOf } from '../../periods/exports-digests-of.ts';
import { exceptionsOfLate } from '../../periods/late-exceptions.ts';
import { linesOfItems } from '../../periods/late-lines.ts';
import { rejectsAmong, setAsidesOf } from '../../periods/rejects-of.ts';
import type { TakenOver } from '../../periods/taken-over.ts';
import { applyPolicy, isDecided, unmatched } from '../../reconcile/apply-policy.ts';
import { inClusters } from '../../reconcile/clusters.ts';
import type { EarlierTax } from '../../reconcile/earlier-tax.ts';
import { exceptionList } from '../../reconcile/exception-list.ts';
import { type DraftException, exceptionOfSetAside } from '../../reconcile/exceptions.ts';
import { exceptionsOfCompared, type ShopTotals } from '../../reconcile/expected-totals.ts';
import { exceptionsOfInputs } from '../../reconcile/input-exceptions.ts';
import type { Materiality } from '../../reconcile/materiality.ts';
import { inKeyOrder } from '../../reconcile/period-totals.ts';
import { UNDECIDED } from '../../reconcile/readiness.ts';
import { exceptionsOfRefund } from '../../reconcile/refund-exceptions.ts';
import type { RefundLink } from '../../reconcile/refund-link.ts';
import { withReturnedTax } from '../../reconcile/returned-tax.ts';
import { exceptionsOfSilence } from '../../reconcile/silent-days.ts';
import type { Rejects } from '../../report/write-rejects.ts';
import type { CountedPages } from '../../workbook/sheet.ts';
import { rowsOfEarlierReadings } from '../../workspace/earlier-readings.ts';
import { hasWorkingPapers, samplingPlan } from '../book-pages/sampling-plan.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { findingsOfBalances } from './balance-findings.ts';
import { type Completions, completionsOf, unknownReturns, withCompletions } from './completions.ts';
import { decisionsOfVersion } from './decisions-of-version.ts';
import { withFiledBefore } from './filed-before.ts';
import { filingRegistrations, statesRemitting, withSecondary } from './filing-registrations.ts';
import { gatherRecorded } from './gather-recorded.ts';
import { type GatheredSales, gatherSales } from './gather-sales.ts';
import { inputsOf } from './inputs-of.ts';
import { refundsOfLateOrders } from './late-orders.ts';
import { ledgerOf } from './ledger-of.ts';
import { oldRatesOf } from './old-rates.ts';
import { bySeverity, openAmendments, ratesOfToday, tolerated } from './period-exceptions.ts';
import { possibleDoubles } from './possible-doubles.ts';
import { earlierOrders } from './refund-links.ts';
import { silentChannels } from './silent-channels.ts';
import { taxGivenBack } from './tax-given-back.ts';
import { monthsBehind, trendOf } from './trend-of.ts';
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
 * Add up all figures of the workbooks of a period, in one pass over its sales and one over the records. The same passes
 * write the logs of the evidence.
 */
export const gatherReport = async (
  ports: ClosePorts,
  period: FilingPeriod,
  logs: EvidenceLogs,
  madeEarly: PeriodReport['madeEarly'],
): Promise<GatheredReport> => {
  const decisions = await decisionsOfVersion(ports, period);
  const exceptions = exceptionList((draft) => isDecided(draft, decisions, period));
  const sales = await gatherSales(ports, period, { logs, exceptions });
  const { workspace, configuration } = ports;
  const configured = await countedRegistrations(workspace, configuration.registrations, period);
  const counted = { ...ports, configuration: { ...configuration, registrations: [...configured] } };
  const completions = await completionsOf(workspace, period, configured);
  const takenOver = await balancesTakenOver(workspace, configured, period);
  const others = await gatherOthers(counted, period, sales, { completions, takenOver });
  const asides = await setAsidesOf(ports.workspace, period);
  await logs.write({ 'set-aside': logPiece(asides.map((aside) => JSON.stringify(aside))) });
  const recorded = await gatherRecorded(ports, period, sales.totals, logs);
  const orders = await earlierOrders(workspace, period, sales.missingOrders());
  const refundDrafts: DraftException[] = [];
  for (const links of sales.links(orders).pages)
    for (const link of links) {
      refundDrafts.push(...exceptionsOfRefund(link));
      sales.earlier.see(link);
    }
  const drafts = [
    ...others.drafts,
    ...sales.certificateFindings(),
    ...asides.map(exceptionOfSetAside),
    ...recorded,
    ...(sales.todaysRates() > 0 ? [ratesOfToday(period, sales.todaysRates())] : []),
    ...refundDrafts,
    ...(await refundsOfLateOrders(ports, period, sales.late)),
    ...(await taxGivenBack(counted, period, sales)),
    ...exceptionsOfFees(sales.filing.unknownFees(), period),
    ...exceptionsOfSilence(inKeyOrder(sales.totals.days), period),
    ...sales.denied.exceptions(),
    ...(await silentChannels(ports, period, sales.channels.selling())),
  ];
  for (const draft of drafts) exceptions.add(draft);
  const returned = withReturnedTax(
    exceptions.drafts(),
    statesRemitting(configured, period),
    inKeyOrder(sales.totals.states),
    materialityOf(ports.configuration.policy),
  );
  const found = { sales, others, decisions, earlierTax: sales.earlier.all(), drafts: returned };
  const report = { ...(await reportOf(counted, period, found)), ...(madeEarly && { madeEarly }) };
  const known = filingRegistrations(configured, period, takenOver);
  const filing = withCompletions(withSecondary(known, report, ports.service.coverage), completions);
  const withUse = withUsedLater(filing, sales.filing, report);
  const registrations = await withFiledBefore(workspace, period, configured, withUse);
  const rejects = await rejectsAmong(ports.workspace, asides);
  const rejectedInputs = rejects.map(({ records: _, ...input }) => input);
  for (const piece of reportPieces(report, { registrations, rejectedInputs, orders }))
    await logs.write({ report: piece });
  return {
    report,
    takenOver,
    registrations,
    rejects,
    figures: figuresDigest(sales.figures, asides),
    beside: besideDigest(report),
    stated: exportsDigestOf(sales.stated, asides),
    filing: sales.filing,
    refunds: sales.links(orders),
  };
};

/**
 * The parts of the report that are not sales: files, late items, the shops' own totals, and the balances of the seller's accounts.
 */
type OtherFigures = Pick<PeriodReport, 'inputs' | 'late' | 'comparedTotals' | 'ledger'> & {
  readonly drafts: readonly DraftException[];
};

/** What the returns take from those of other periods. */
type OtherPeriods = { readonly completions: Completions; readonly takenOver: TakenOver };

const gatherOthers = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { registerInputs, lateLines, channels, totals, alike }: GatheredSales,
  { completions, takenOver }: OtherPeriods,
): Promise<OtherFigures> => {
  const { configuration, workspace } = ports;
  const found = await ledgerOf(workspace, period);
  const inputs = [
    ...(await inputsOf(workspace, await rowsOfEarlierReadings(workspace, period))),
    ...registerInputs,
    ...(found ? [found.input] : []),
  ];
  const late = [...(await linesOfItems(workspace, await undecidedFor(workspace, period))), ...lateLines()];
  const comparedTotals = channels.compared(shopTotals(configuration, period));
  const drafts = [
    ...exceptionsOfInputs(inputs),
    ...(await possibleDoubles(ports, period, { inputs, alike })),
    ...exceptionsOfLate(late),
    ...(await openAmendments(workspace, period)),
    ...(await findingsOfBalances(ports, period, takenOver)),
    ...unknownReturns(completions, configuration.registrations, period),
    ...(await withdrawnDecisions(ports, period)),
    ...exceptionsOfCompared(comparedTotals, period),
    ...(found
      ? [
          ...found.problems,
          ...differencesOf(
            { ledger: found.ledger, states: inKeyOrder(totals.states), period },
            materialityOf(configuration.policy),
          ),
        ]
      : []),
  ];
  return {
    inputs,
    late,
    comparedTotals,
    drafts,
    ...(found && { ledger: found.ledger }),
  };
};

type Found = {
  readonly sales: GatheredSales;
  readonly others: OtherFigures;
  readonly decisions: DecisionIndex;
  readonly drafts: readonly DraftException[];
  readonly earlierTax: readonly EarlierTax[];
};

const reportOf = async (
  ports: ClosePorts,
  period: FilingPeriod,
  { sales, others: { drafts: _, ...others }, decisions, drafts, earlierTax }: Found,
): Promise<PeriodReport> => {
  const { configuration, workspace } = ports;
  const { policy } = configuration;
  const { totals } = sales;
  const tolerance = parseMoney(policy.unexplained) ?? ZERO;
  const states = inKeyOrder(totals.states);
  const decided = decidedIn(configuration, period);
  const exceptions = applyPolicy(tolerated(drafts, totals, tolerance), decisions, period);
  return {
    ...headOf(ports, period),
    unexplainedTolerance: tolerance,
    materiality: materialityOf(policy),
    detailRows: totals.rows,
    ...(policy.detailRows !== undefined && { detailRowsMax: policy.detailRows }),
    todaysRates: sales.todaysRates(),
    oldRates: oldRatesOf(ports, period, states),
    signOff: { contentDigest: '' },
    readiness: UNDECIDED,
    remittances: [],
    states,
    ...((await hasWorkingPapers(ports, period)) && { sampling: samplingPlan(ports, period) }),
    trend: await trendOf(workspace, period, states),
    ...(await monthsBehind(workspace, period)),
    certificates: sales.certificates(),
    jurisdictions: inKeyOrder(totals.jurisdictions),
    reasons: inKeyOrder(totals.reasons),
    stateReasons: inKeyOrder(totals.stateReasons),
    earlierTax,
    days: inKeyOrder(totals.days),
    unposted: inKeyOrder(totals.unposted),
    exceptions: inClusters(
      [...exceptions, ...unmatched(decided.decisions, exceptions, decisions, period)].sort(bySeverity),
    ),
    decided,
    ...others,
  };
};

/** Returns the contents of the decision files for the period. */
const decidedIn = (
  { decided: { decisions, numbers } }: ClosePorts['configuration'],
  { label }: FilingPeriod,
): Decided => ({
  decisions: decisions.filter(({ period }) => period === label),
  numbers: Object.fromEntries(Object.entries(numbers).filter(([key]) => key.startsWith(`${label} `))),
});

/** Returns the identity of the report, and the settings with which it was computed. */
const headOf = ({ configuration, serviceId, program }: ClosePorts, period: FilingPeriod) => ({
  seller: configuration.name,
  entity: configuration.entity,
  period,
  timeZone: configuration.timeZone,
  service: serviceId,
  program,
  registrations: configuration.registrations,
});

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
