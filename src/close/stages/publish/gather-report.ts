import type { Order, Refund } from '../../../contract/transaction.ts';
import { isAmendmentLabel } from '../../../kernel/amended-version.ts';
import { scaled } from '../../../kernel/decimal-text.ts';
import { type Money, parseMoney, subtract, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { moneyOfPrice } from '../../../kernel/price.ts';
import { RATE_ONE, rate } from '../../../kernel/rate.ts';
import { providerOf } from '../../configuration/provider-of.ts';
import { locksAnsweredBy, undecidedFor } from '../../periods/answered-locks.ts';
import { basisDigest, salesDigest } from '../../periods/basis-digest.ts';
import { exceptionOfAmendment, exceptionsOfLate } from '../../periods/late-exceptions.ts';
import { lateLines, linesOfItems } from '../../periods/late-lines.ts';
import { postedAmong, recordedOf } from '../../periods/recorded-of-period.ts';
import { setAsidesOf } from '../../periods/rejects-of.ts';
import {
  type Exception,
  exceptionOfExtra,
  exceptionOfSetAside,
  exceptionsOfRefund,
  exceptionsOfSale,
  isOpen,
  judged,
} from '../../reconcile/exceptions.ts';
import { channelTotals, exceptionsOfCompared, type ShopTotals } from '../../reconcile/expected-totals.ts';
import { exceptionsOfInput } from '../../reconcile/input-exceptions.ts';
import type { Materiality } from '../../reconcile/materiality.ts';
import {
  addRecorded,
  addRow,
  emptyTotals,
  inKeyOrder,
  type PeriodTotals,
} from '../../reconcile/period-totals.ts';
import { differenceGatherer } from '../../reconcile/record-differences.ts';
import { type SamplingPlan, sampler } from '../../reconcile/sampling.ts';
import { type FilingFigures, filingFigures } from '../../report/filing-figures.ts';
import type { PeriodReport } from '../../report/period-report.ts';
import { type DetailedSale, detailedSales } from '../../workspace/detailed-sales.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import { exemptionGatherer } from './exemption-gatherer.ts';
import { inputsOf } from './inputs-of.ts';
import { refundLinksOf } from './refund-links.ts';
import { trendOf } from './trend-of.ts';

type Draft = Omit<Exception, 'accepted'>;

export type GatheredReport = {
  readonly report: PeriodReport;
  /** Digest of what the report was made from. */
  readonly basis: string;
  readonly filing: FilingFigures;
};

/** Add up everything the workbooks say of a period, in one pass over its sales and one over what is recorded. */
export const gatherReport = async (ports: ClosePorts, period: FilingPeriod): Promise<GatheredReport> => {
  const { configuration, workspace } = ports;
  const totals = emptyTotals();
  const drafts: Draft[] = [];
  const byChannel = channelTotals(period);
  const seen = salesDigest();
  const differences = differenceGatherer();
  const plan = samplingPlan(ports, period);
  const sample = sampler(plan);
  const refunds: DetailedSale[] = [];
  const carried = lateLines();
  const isAmendment = isAmendmentLabel(period.label);
  let todaysRates = 0;
  const certificates = await exemptionGatherer(workspace, period);
  const filing = filingFigures();
  for await (const detailed of detailedSales(workspace, period)) {
    const { row, sale, reconciled, digest, figures, late } = detailed;
    seen.add({ key: sale.key, digest, figures });
    addRow(totals, row);
    byChannel.add(row);
    if (reconciled?.hasTodaysRates) todaysRates += 1;
    filing.add(row, sale);
    sample.add(row);
    differences.add(row, reconciled?.differences ?? []);
    const found = exceptionsOfSale(row, sale, reconciled?.differences ?? [], period);
    // What is filed in another period than its own is no matter of a few hours at the edge.
    drafts.push(...(late ? found.filter(({ code }) => code !== 'R16') : found));
    if (late) carried.add(row, late, isAmendment);
    certificates.add(detailed);
    if (sale.kind === 'refund') refunds.push(detailed);
  }
  const inputs = [...(await inputsOf(workspace)), ...certificates.inputs];
  drafts.push(...inputs.flatMap(exceptionsOfInput));
  const late = [
    ...(await linesOfItems(workspace, await undecidedFor(workspace, period))),
    ...carried.lines(),
  ];
  drafts.push(...exceptionsOfLate(late), ...(await openAmendments(workspace, period)));
  const comparedTotals = byChannel.compared(shopTotals(configuration, period));
  drafts.push(...exceptionsOfCompared(comparedTotals, period));
  drafts.push(...certificates.findings());
  const asides = await setAsidesOf(workspace, period);
  drafts.push(...asides.map(exceptionOfSetAside), ...(await recordedDrafts(ports, period, totals)));

  if (todaysRates > 0) drafts.push(ratesOfToday(period, todaysRates));
  const refundLinks = await refundLinksOf(workspace, refunds);
  drafts.push(...refundLinks.flatMap(exceptionsOfRefund));
  if (totals.rows === 0) drafts.push(noSales(period));
  const tolerance = parseMoney(configuration.policy.unexplained) ?? ZERO;
  const states = inKeyOrder(totals.states);

  const report: PeriodReport = {
    seller: configuration.name,
    entity: configuration.entity,
    period,
    timeZone: configuration.timeZone,
    service: ports.serviceId,
    program: ports.program,
    registrations: configuration.registrations.map(({ state, since, account }) => ({
      state,
      since,
      account: account ?? '',
    })),
    unexplainedTolerance: tolerance,
    materiality: materialityOf(configuration.policy),
    detailRows: totals.rows,
    todaysRates,
    signOff: { contentDigest: '', signatures: [] },
    returnsAgree: true,
    remittances: [],
    states,
    differences: differences.all(),
    refundLinks,
    sampling: { plan, draws: sample.drawn() },
    trend: await trendOf(workspace, period, states),
    certificates: certificates.report(),
    jurisdictions: inKeyOrder(totals.jurisdictions),
    reasons: inKeyOrder(totals.reasons),
    stateReasons: inKeyOrder(totals.stateReasons),
    days: inKeyOrder(totals.days),
    exceptions: [...judged(tolerated(drafts, totals, tolerance), configuration.policy.accept)].sort(
      bySeverity,
    ),
    late,
    inputs,
    comparedTotals,
  };
  return { report, basis: basisDigest(seen, asides), filing };
};

/** What the channels' shops show for exactly this period. */
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

const materialityOf = ({ materiality }: ClosePorts['configuration']['policy']): Materiality => ({
  amount: parseMoney(materiality.amount) ?? ZERO,
  // A percentage of three places is a fraction of five.
  share: rate((scaled(materiality.percent, 3) ?? 0) * (RATE_ONE / 100_000)),
});

/** Unless the policy has a seed, the entity and the period are one that nobody chose to their liking. */
const samplingPlan = ({ configuration }: ClosePorts, period: FilingPeriod): SamplingPlan => {
  const { seed, perStratum, monetaryUnits } = configuration.policy.sampling;
  return { seed: seed ?? `${configuration.entity} ${period.label}`, perStratum, monetaryUnits };
};

/** The amended versions of locked periods that this close should not pass over. */
const openAmendments = async (workspace: Workspace, period: FilingPeriod): Promise<readonly Draft[]> => {
  const answered = new Set((await locksAnsweredBy(workspace, period)).map(({ label }) => label));
  const locks = await locksOf(workspace);
  return locks.filter((lock) => lock.state === 'open' && answered.has(lock.period)).map(exceptionOfAmendment);
};

/** A month without any sale is more often a forgotten export than a quiet month: somebody has to say so. */
const noSales = (period: FilingPeriod): Draft => ({
  severity: 'error',
  code: 'no-sales',
  origin: { file: '', line: 0, record: period.label },
  message: 'none of the exports holds any sale of the period',
  state: '',
  effect: ZERO,
});

/** A variance against today's rates proves nothing about an old sale: whoever reads the book has to know. */
const ratesOfToday = (period: FilingPeriod, sales: number): Draft => ({
  severity: 'warning',
  code: 'todays-rates',
  origin: { file: '', line: 0, record: period.label },
  message: `${sales} sales were calculated with the rates of the day on which the service was asked: it does not say that it calculates as of the day of sale`,
  state: '',
  effect: ZERO,
});

/** What stays unexplained is an error, unless all of it together is within the tolerance of the policy. */
const tolerated = (drafts: readonly Draft[], totals: PeriodTotals, tolerance: Money): readonly Draft[] => {
  const unexplained = totals.reasons.get('R99');
  if (!unexplained || subtract(unexplained.over, unexplained.under) > tolerance) return drafts;
  return drafts.map((draft) => (draft.code === 'R99' ? { ...draft, severity: 'warning' } : draft));
};

const SEVERITY_ORDER = { error: 0, warning: 1, notice: 2 } as const;

/** What is open comes first, and of that what nothing explains. */
const bySeverity = (left: Exception, right: Exception): number =>
  Number(isOpen(right)) - Number(isOpen(left)) ||
  Number(right.code === 'R99') - Number(left.code === 'R99') ||
  SEVERITY_ORDER[left.severity] - SEVERITY_ORDER[right.severity] ||
  compare(left.code, right.code) ||
  compare(left.origin.file, right.origin.file) ||
  left.origin.line - right.origin.line ||
  compare(left.origin.record, right.origin.record) ||
  compare(left.message, right.message);

const compare = (left: string, right: string): number => {
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

/** Count what the service holds for the period into its days; what no export explains is an exception. */
const recordedDrafts = async (
  ports: ClosePorts,
  period: FilingPeriod,
  totals: PeriodTotals,
): Promise<readonly Draft[]> => {
  const { configuration } = ports;
  const channels = new Map(configuration.channels.map(({ name }) => [providerOf(configuration, name), name]));
  const keyOf = ({ provider, kind, id }: RecordedRow) =>
    `${channels.get(provider) ?? provider}/${kind}/${id}`;
  const drafts: Draft[] = [];
  for await (const page of recordedOf(ports, period)) {
    const known = await postedAmong(ports.workspace, page.map(keyOf));
    const adjustments = await adjustmentsAmong(ports, page);
    for (const row of page) {
      const channel = channels.get(row.provider) ?? row.provider;
      const record = JSON.parse(row.body) as Order | Refund;
      const tax: Money = moneyOfPrice(record.sales_tax);
      const amount = moneyOfPrice(record.amount);
      // A refund and its adjustments are one record with the amounts of all.
      const isAdjustment = row.kind === 'refund' && adjustments.has(`${row.provider}/${row.id}`);
      addRecorded(totals, row.business_date, channel, { records: isAdjustment ? 0 : 1, amount, tax });
      if (isAdjustment || known.has(keyOf(row))) continue;
      drafts.push(
        exceptionOfExtra({
          kind: row.kind,
          id: row.id,
          provider: row.provider,
          state: record.to_state ?? '',
          tax,
        }),
      );
    }
  }
  return drafts;
};

/** The adjustments among the records of a page, as long as the refund that they adjust is posted. */
const adjustmentsAmong = async (
  { workspace, serviceName }: ClosePorts,
  page: readonly RecordedRow[],
): Promise<ReadonlySet<string>> => {
  const rows = await workspace.tables
    .selectFrom('refund_adjustment')
    .innerJoin('sale', (join) =>
      join
        .onRef('sale.entity', '=', 'refund_adjustment.entity')
        .onRef('sale.key', '=', 'refund_adjustment.key'),
    )
    .select(['refund_adjustment.provider', 'refund_adjustment.id'])
    .where('refund_adjustment.entity', '=', workspace.entity)
    .where('refund_adjustment.service', '=', serviceName)
    .where('sale.posting', '=', 'posted')
    .where(
      'refund_adjustment.id',
      'in',
      page.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map(({ provider, id }) => `${provider}/${id}`));
};
