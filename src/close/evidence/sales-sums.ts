import type { Json } from '../../kernel/digest.ts';
import { subtract, sum } from '../../kernel/money.ts';
import { packJson } from '../../kernel/packed-json.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { filingFigures, type ReturnChoice } from '../figures/filing-figures.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { FoundOfSale } from '../reconcile/corrected-findings.ts';
import { detailLineOf } from '../reconcile/detail-row.ts';
import { isLateRow, type LateRow, lateRowOf } from '../reconcile/earlier-tax.ts';
import { exceptionsOfOpinion, exceptionsOfSale } from '../reconcile/exceptions.ts';
import { nothingDueOf } from '../reconcile/nothing-due.ts';
import { addRecorded, addRow, emptyTotals, keptTotals } from '../reconcile/period-totals.ts';
import { postingOf } from '../sales/sale.ts';
import { bodyMark, countedAnswer, providerIn, requestMark, signedFor } from './derivation.ts';
import type { LoggedSale } from './logged.ts';
import { adjustmentsAmong, type Extras, sumsOf } from './logged-extras.ts';
import type { Derivation } from './manifest.ts';
import { rowOf } from './read-sales.ts';
import { rowCounter } from './row-counter.ts';
import { readSale } from './sale-text.ts';
import type { Problem } from './verify-files.ts';

/** The settings for checking and summing lines of the log of sales, as plain data. */
export type SumsGiven = {
  readonly derivation: Derivation;
  readonly extras: Extras;
  readonly period: FilingPeriod;
  readonly registrations: PeriodReport['registrations'];
  /** The seller's choices about its returns. */
  readonly returns: readonly ReturnChoice[];
};

/** The sums of lines of the log of sales, as plain data, or the problem of the first sale that fails its checks. */
export type SalesSums = ReturnType<typeof sumsOfLines>;

export const sumsOfLines = (
  lines: readonly string[],
  { derivation, extras, period, registrations, returns }: SumsGiven,
) => {
  const totals = emptyTotals();
  const filing = filingFigures(returns, period);
  const found: FoundOfSale[] = [];
  const rows = rowCounter();
  const adjusted: string[] = [];
  const lateRows: LateRow[] = [];
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
    filing.add(row, sale);
    const drafts = [
      ...exceptionsOfSale(row, sale, reconciled?.differences ?? [], {
        period,
        isDue: nothingDueOf(sale, registrations) === undefined,
      }),
      ...(reconciled ? exceptionsOfOpinion(row, reconciled) : []),
    ];
    if (drafts.length > 0) found.push({ key: sale.key, drafts });
    if (reconciled?.hasTodaysRates) todaysRates += 1;
    if (isLateRow(row, period)) lateRows.push(lateRowOf(row));
    // A filed sale was read from files that may have been replaced since, and a refund may share the rows of its order.
    if (logged.submission && sale.kind === 'order')
      rows.add(sale.channel, sale.origin.file, 'used', sale.rows);
    if (recorded) addRecorded(totals, recorded.day, sale.channel, { records: 1, ...sumsOf(recorded.record) });
    if (row.isPosted && sale.kind === 'refund')
      adjusted.push(...adjustmentsAmong(extras, providerIn(derivation, sale), sale.id));
  }
  return {
    totals: keptTotals(totals),
    filing: filing.kept(),
    found,
    rows: [...rows.counts],
    adjusted,
    lateRows,
    todaysRates,
    /** The rows of Detail in one line of text. */
    detail: packJson(detail as Json),
  };
};

/**
 * Checks that a sale is consistent: its reasons add up to its variance and its levels to its tax; request and body were
 * built from it; its expected tax is the answer, and its recorded tax is what was read back.
 */
const checkSale = (logged: LoggedSale, derivation: Derivation, extras: Extras): Problem =>
  calculationProblem(logged, derivation) ??
  submissionProblem(logged, derivation) ??
  figuresProblem(logged) ??
  recordProblem(logged, derivation, extras);

const figuresProblem = ({ sale, reconciled, figuresHold }: LoggedSale): Problem => {
  if (!figuresHold) return 'the log has no figures of it, and its answer and its record do not tie out';
  if (!reconciled || reconciled.expected === null) return undefined;
  const { expected, reasons, levels } = reconciled;
  const explained = sum(reasons.map(({ amount }) => amount));
  if (explained !== subtract(signedFor(sale)(sale.salesTax), expected))
    return 'its reasons do not add up to its variance';
  return levels.length > 0 && sum(levels.map(({ tax }) => tax)) !== expected
    ? 'its jurisdictions do not add up to its expected tax'
    : undefined;
};

const calculationProblem = (
  { sale, calculation, reconciled, isFiled }: LoggedSale,
  derivation: Derivation,
): Problem => {
  if (!calculation)
    return reconciled?.hasNexus === true && !isFiled ? 'its calculation is not in the log' : undefined;
  const { mark, service, result } = calculation;
  if (requestMark(sale, service, derivation) !== mark) return 'its calculation was asked for another sale';
  if (!reconciled || reconciled.expected === null) return undefined;
  const signed = signedFor(sale);
  if (signed(result.amount_to_collect) !== reconciled.expected)
    return 'its expected tax is not what its calculation answered';
  return signed(result.taxable_amount) === reconciled.taxable &&
    result.has_nexus === reconciled.hasNexus &&
    result.tax_source === reconciled.taxSource &&
    result.freight_taxable === reconciled.freightTaxable
    ? undefined
    : 'its figures are not those of its calculation';
};

const submissionProblem = (
  { sale, calculation, submission, recorded, reconciled, isFiled }: LoggedSale,
  derivation: Derivation,
): Problem => {
  if (!submission)
    return recorded && !isFiled ? 'it is recorded, and what was sent of it is not in the log' : undefined;
  const answer = countedAnswer(calculation?.result, reconciled);
  return bodyMark(sale, answer, derivation) === submission.mark
    ? undefined
    : 'what was sent of it was made from another sale';
};

const recordProblem = (
  { sale, reconciled, recorded }: LoggedSale,
  derivation: Derivation,
  extras: Extras,
): Problem => {
  const provider = providerIn(derivation, sale);
  // A record that is held now may have been posted before.
  if (postingOf(sale) === 'posted' && extras.records.has(`${provider}/${sale.kind}/${sale.id}`))
    return 'its record stands among those that are of no sale';
  const held = reconciled?.recorded ?? null;
  if (held === null) return undefined;
  const adjustments = sale.kind === 'refund' ? adjustmentsAmong(extras, provider, sale.id) : [];
  const taxes = adjustments.flatMap((name) => extras.records.get(name)?.sums.tax ?? []);
  return recorded && sum([sumsOf(recorded.record).tax, ...taxes]) === held
    ? undefined
    : 'its recorded tax is not what was read back';
};
