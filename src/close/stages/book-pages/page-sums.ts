import type { FilingPeriod } from '../../../kernel/period.ts';
import { setDigest } from '../../../kernel/set-digest.ts';
import type { RecordedSum } from '../../evidence/logged.ts';
import { filingFigures } from '../../figures/filing-figures.ts';
import type { DetailedSale } from '../../period-sales/detailed-sales.ts';
import { figuredText } from '../../periods/closing.ts';
import { addStated } from '../../periods/exports-digests-of.ts';
import { type DraftException, exceptionsOfOpinion, exceptionsOfSale } from '../../reconcile/exceptions.ts';
import { channelTotals } from '../../reconcile/expected-totals.ts';
import { impliedRateTotals } from '../../reconcile/implied-rate-totals.ts';
import { addRecorded, addRow, emptyTotals, keptTotals } from '../../reconcile/period-totals.ts';
import { differenceGatherer } from '../../reconcile/record-differences.ts';
import { type RefundedOrder, type Repayment, repaymentOf } from '../../reconcile/refund-link.ts';
import { sampler } from '../../reconcile/sampling.ts';
import { takesRecordBack } from '../../workspace/sale-page.ts';
import { nothingDue } from '../recompute/calculations.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { exemptSalesOf } from './exempt-sales.ts';
import { samplingPlan } from './sampling-plan.ts';

/** What the sales of a page come to, as plain data: that of a period is what its pages come to together. */
export type PageSums = ReturnType<typeof sumsOfPage>;

/** @param recorded what the service holds of these sales, by day and channel */
export const sumsOfPage = (
  ports: ClosePorts,
  period: FilingPeriod,
  page: readonly DetailedSale[],
  recorded: readonly RecordedSum[],
) => {
  const totals = emptyTotals();
  const implied = impliedRateTotals();
  const channels = channelTotals(period);
  const [figures, stated] = [setDigest(), setDigest()];
  const differences = differenceGatherer();
  const sample = sampler(samplingPlan(ports, period));
  const filing = filingFigures(ports.configuration.registrations, period);
  const drafts: DraftException[] = [];
  const refunds: Repayment[] = [];
  const orders: (readonly [string, RefundedOrder])[] = [];
  let todaysRates = 0;
  for (const detailed of page) {
    const { row, sale, reconciled, filed, late } = detailed;
    figures.add(figuredText(detailed));
    addStated(stated, sale);
    addRow(totals, row);
    implied.add(row);
    channels.add(row);
    filing.add(row, sale);
    sample.add(row);
    differences.add(row, reconciled?.differences ?? []);
    drafts.push(...exceptionsOfDetailed(ports, detailed, period));
    const { businessDate, amount, salesTax } = sale;
    if (sale.kind === 'order') {
      if (!filed && !late) orders.push([sale.key, { businessDate, amount, salesTax }]);
    } else if (!(late && takesRecordBack(sale, late.corrects))) {
      // What takes a filed record back repays nothing.
      refunds.push(repaymentOf(row, sale));
    }
    if (reconciled?.hasTodaysRates) todaysRates += 1;
  }
  for (const { day, channel, ...sum } of recorded) addRecorded(totals, day, channel, sum);
  return {
    totals: keptTotals(totals),
    implied: implied.kept(),
    channels: channels.kept(),
    figures: figures.hex(),
    stated: stated.hex(),
    differences: differences.kept(),
    sample: sample.kept(),
    exempt: exemptSalesOf(page),
    filing: filing.kept(),
    drafts,
    refunds,
    orders,
    todaysRates,
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
