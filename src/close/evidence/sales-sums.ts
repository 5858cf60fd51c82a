import type { Json } from '../../kernel/digest.ts';
import { packJson } from '../../kernel/packed-json.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { filingFigures, type ReturnChoice } from '../figures/filing-figures.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { detailLineOf } from '../reconcile/detail-row.ts';
import { type DraftException, exceptionsOfOpinion, exceptionsOfSale } from '../reconcile/exceptions.ts';
import { impliedRateTotals } from '../reconcile/implied-rate-totals.ts';
import { nothingDueOf } from '../reconcile/nothing-due.ts';
import { addRecorded, addRow, emptyTotals, keptTotals } from '../reconcile/period-totals.ts';
import { differenceGatherer } from '../reconcile/record-differences.ts';
import { type SamplingPlan, sampler } from '../reconcile/sampling.ts';
import { providerIn } from './derivation.ts';
import { adjustmentsAmong, type Extras, sumsOf } from './logged-extras.ts';
import type { Derivation } from './manifest.ts';
import { rowOf } from './read-sales.ts';
import { rowCounter } from './row-counter.ts';
import { readSale } from './sale-text.ts';
import { checkSale } from './verify-sale.ts';

/** What lines of the log of sales are checked and added up with, as plain data. */
export type SumsGiven = {
  readonly derivation: Derivation;
  readonly extras: Extras;
  readonly period: FilingPeriod;
  readonly plan: SamplingPlan;
  readonly registrations: PeriodReport['registrations'];
  /** What the seller says of its returns. */
  readonly returns: readonly ReturnChoice[];
};

/** What lines of the log of sales come to, as plain data, or what is wrong with the first that does not hold. */
export type SalesSums = ReturnType<typeof sumsOfLines>;

export const sumsOfLines = (
  lines: readonly string[],
  { derivation, extras, period, plan, registrations, returns }: SumsGiven,
) => {
  const totals = emptyTotals();
  const [implied, filing, sample, differences] = [
    impliedRateTotals(),
    filingFigures(returns, period),
    sampler(plan),
    differenceGatherer(),
  ];
  const drafts: DraftException[] = [];
  const rows = rowCounter();
  const adjusted: string[] = [];
  const detail: object[] = [];
  let todaysRates = 0;
  for (const line of lines) {
    const logged = readSale(JSON.parse(line), derivation);
    const { sale, reconciled, recorded } = logged;
    const problem = checkSale(logged, derivation, extras);
    if (problem !== undefined) return `${sale.key}: ${problem}`;
    const row = rowOf(logged);
    detail.push(detailLineOf(row));
    addRow(totals, row);
    implied.add(row);
    filing.add(row, sale);
    sample.add(row);
    differences.add(row, reconciled?.differences ?? []);
    drafts.push(
      ...exceptionsOfSale(row, sale, reconciled?.differences ?? [], {
        period,
        isDue: nothingDueOf(sale, registrations) === undefined,
      }),
    );
    if (reconciled) drafts.push(...exceptionsOfOpinion(row, reconciled));
    if (reconciled?.hasTodaysRates) todaysRates += 1;
    // What is filed was read from files that may be others by now, and a refund may share the rows of its order.
    if (logged.submission && sale.kind === 'order')
      rows.add(sale.channel, sale.origin.file, 'used', sale.rows);
    if (recorded) addRecorded(totals, recorded.day, sale.channel, { records: 1, ...sumsOf(recorded.record) });
    if (row.isPosted && sale.kind === 'refund')
      adjusted.push(...adjustmentsAmong(extras, providerIn(derivation, sale), sale.id));
  }
  return {
    totals: keptTotals(totals),
    implied: implied.kept(),
    filing: filing.kept(),
    sample: sample.kept(),
    differences: differences.kept(),
    drafts,
    rows: [...rows.counts],
    adjusted,
    todaysRates,
    /** The rows of Detail in one line of text. */
    detail: packJson(detail as Json),
  };
};
