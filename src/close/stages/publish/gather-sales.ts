import { isAmendmentLabel } from '../../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { logPiece } from '../../evidence/log-file.ts';
import { ledgerSales } from '../../general-ledger/ledger-sales.ts';
import { salesDigest } from '../../periods/closing.ts';
import { takesRecordBack } from '../../periods/late-item.ts';
import { lateLines } from '../../periods/late-lines.ts';
import { statedSales } from '../../periods/stated-sales.ts';
import { type DraftException, exceptionsOfOpinion, exceptionsOfSale } from '../../reconcile/exceptions.ts';
import { channelTotals } from '../../reconcile/expected-totals.ts';
import { impliedRateTotals } from '../../reconcile/implied-rate-totals.ts';
import { addRecorded, addRow, emptyTotals } from '../../reconcile/period-totals.ts';
import { differenceGatherer } from '../../reconcile/record-differences.ts';
import { sampler } from '../../reconcile/sampling.ts';
import { filingFigures } from '../../report/filing-figures.ts';
import { type DetailedSale, detailedPages, figuresText } from '../../workspace/detailed-sales.ts';
import { keysOfEarlierReadings } from '../../workspace/earlier-readings.ts';
import type { ClosePorts } from '../close-ports.ts';
import { loggedPage } from '../logged/logged-page.ts';
import { nothingDue } from '../recompute/calculations.ts';
import type { EvidenceLogs } from './evidence-logs.ts';
import { exemptionGatherer } from './exemption-gatherer.ts';
import { ledgerOf } from './ledger-of.ts';
import { refundedOrders } from './refund-links.ts';
import { samplingPlan } from './report-policy.ts';

/** What the sales of a period come to, gathered in one pass over them, in which they are logged. */
export type GatheredSales = Awaited<ReturnType<typeof gatherSales>>;

export const gatherSales = async (ports: ClosePorts, period: FilingPeriod, logs: EvidenceLogs) => {
  const gatherers = await gatherersOf(ports, period);
  const { totals, implied, channels, basis, stated, differences, sample, carried, certificates, filing } =
    gatherers;
  const { orders, booked } = gatherers;
  const isAmendment = isAmendmentLabel(period.label);
  const drafts: DraftException[] = [];
  const refunds: DetailedSale[] = [];
  const earlier = await keysOfEarlierReadings(ports.workspace, period);
  const earlierRows = new Map<string, number>();
  let todaysRates = 0;
  const add = (detailed: DetailedSale): void => {
    const { row, sale, reconciled, digest, late } = detailed;
    basis.add({ key: sale.key, digest, figures: figuresText(detailed) });
    stated.add(sale);
    addRow(totals, row);
    implied.add(row);
    channels.add(row);
    filing.add(row, sale);
    sample.add(row);
    differences.add(row, reconciled?.differences ?? []);
    certificates.add(detailed);
    booked?.add(row, sale);
    drafts.push(...exceptionsOfDetailed(ports, detailed, period));
    if (late) carried.add(row, late, isAmendment);
    orders.see(detailed);
    // What takes a filed record back repays nothing.
    if (sale.kind === 'refund' && !(late && takesRecordBack(sale, late.corrects))) refunds.push(detailed);
    if (reconciled?.hasTodaysRates) todaysRates += 1;
    if (sale.rows > 0 && earlier.has(sale.key)) {
      const file = `${sale.channel}/${sale.origin.file}`;
      earlierRows.set(file, (earlierRows.get(file) ?? 0) + sale.rows);
    }
  };
  for await (const page of detailedPages(ports.workspace, period)) {
    const { sales, questions, records, recorded } = await loggedPage(ports, page);
    await logs.write({ sales, questions: logPiece(questions), records: logPiece(records) });
    page.sales.forEach(add);
    for (const { day, channel, ...sum } of recorded) addRecorded(totals, day, channel, sum);
  }
  return { ...gatherers, drafts, refunds, todaysRates, earlierRows };
};

const gatherersOf = async (ports: ClosePorts, period: FilingPeriod) => {
  const ledger = await ledgerOf(ports, period);
  return {
    totals: emptyTotals(),
    implied: impliedRateTotals(),
    channels: channelTotals(period),
    basis: salesDigest(),
    stated: statedSales(),
    differences: differenceGatherer(),
    sample: sampler(samplingPlan(ports, period)),
    carried: lateLines(),
    certificates: await exemptionGatherer(ports.workspace, period),
    filing: filingFigures(ports.configuration.registrations, period),
    orders: await refundedOrders(ports.workspace, period),
    ledger,
    booked: ledger && ledgerSales(ledger.ledger, period),
  };
};

const exceptionsOfDetailed = (
  ports: ClosePorts,
  { row, sale, reconciled, late }: DetailedSale,
  period: FilingPeriod,
): readonly DraftException[] => {
  const found = [
    ...exceptionsOfSale(row, sale, reconciled?.differences ?? [], {
      period,
      isDue: nothingDue(ports, sale) === undefined,
    }),
    ...(reconciled ? exceptionsOfOpinion(row, reconciled) : []),
  ];
  // What is filed in another period than its own is not a matter of a few hours at the edge.
  return late ? found.filter(({ code }) => code !== 'R16') : found;
};
