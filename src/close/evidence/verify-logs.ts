import { join } from 'node:path';
import { digestOf, type Json } from '../../kernel/digest.ts';
import { subtract, sum } from '../../kernel/money.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { UNDECIDED } from '../reconcile/readiness.ts';
import { postingOf } from '../sales/sale.ts';
import { bodyMark, countedAnswer, providerIn, requestMark, signedFor } from './derivation.ts';
import {
  adjustmentsAmong,
  type Derived,
  deriveFromLogs,
  type Extras,
  readExtras,
  sumsOf,
} from './derived.ts';
import { readLines, readLog } from './log-file.ts';
import { LOG_NAMES, type LoggedQuestion, type LoggedSale, logPath } from './logged.ts';
import { type Derivation, derivationIn, type Manifest } from './manifest.ts';
import { type LoggedReport, readReportLog } from './report-log.ts';
import type { Problem } from './verify-files.ts';
import { checkReport } from './verify-report.ts';

/** Every log is there, and has as many records as the manifest says. */
export const checkRecords = async (folder: string, { content }: Manifest): Promise<Problem> => {
  const paths = content.logs.map(({ path }) => path);
  const wanted = LOG_NAMES.map(logPath);
  if (paths.join() !== wanted.join()) return `the logs are ${paths.join(', ')}, and not ${wanted.join(', ')}`;
  for (const { path, records } of content.logs) {
    let count = 0;
    for await (const _ of readLines(join(folder, path))) count += 1;
    if (count !== records) return `${path} has ${count} records, and the manifest says ${records}`;
  }
  return undefined;
};

/** What the logs come to, what else the books were drawn from, and the report of both. */
export type Recomputed = {
  readonly derived: Derived;
  readonly logged: LoggedReport;
  /** Before it is decided whether the period can be filed: that follows from the returns. */
  readonly report: PeriodReport;
};

/**
 * Every figure follows from the logs: each sale from what was asked, answered, sent and read back, the report from the
 * sales, and the manifest from the report.
 */
export const recompute = async (folder: string, { content }: Manifest): Promise<Recomputed | string> => {
  const logged = await readReportLog(join(folder, logPath('report')));
  const derivation = { ...derivationIn(content), service: logged.report.service };
  const extras = await readExtras(folder);
  if (typeof extras === 'string') return extras;
  const derived = await deriveFromLogs({
    folder,
    derivation,
    extras,
    period: logged.report.period,
    plan: logged.samplingPlan,
    registrations: logged.report.registrations,
    returns: logged.registrations,
    generalLedger: logged.report.generalLedger,
    check: (sale) => checkSale(sale, derivation, extras),
  });
  if (typeof derived === 'string') return derived;
  const problem = await questionProblem(folder);
  if (problem !== undefined) return problem;
  const undecided = { signOff: { contentDigest: '' }, readiness: UNDECIDED, remittances: [] };
  const report = { ...logged.report, ...derived.report, ...undecided };
  return checkReport(content, report, derived) ?? { derived, logged, report };
};

/** What was asked with one thing changed is what its digest says. */
const questionProblem = async (folder: string): Promise<Problem> => {
  for await (const line of readLog(join(folder, logPath('questions')))) {
    const { key, service, request, digest } = line as LoggedQuestion;
    if (digestOf({ service, request } as Json) !== digest) return `${key}: a question about it was changed`;
  }
  return undefined;
};

/**
 * A sale follows from itself: its reasons add up to its variance and its levels to its tax, what was asked and what was
 * sent are made from it, its expected tax is what was answered, and its recorded tax is what was read back.
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
  // What is held now may have been recorded before.
  if (postingOf(sale) === 'posted' && extras.has(`${provider}/${sale.kind}/${sale.id}`))
    return 'its record stands among those that are of no sale';
  const held = reconciled?.recorded ?? null;
  if (held === null) return undefined;
  const adjustments = sale.kind === 'refund' ? adjustmentsAmong(extras, provider, sale.id) : [];
  const taxes = adjustments.flatMap((name) => extras.get(name)?.sums.tax ?? []);
  return recorded && sum([sumsOf(recorded.record).tax, ...taxes]) === held
    ? undefined
    : 'its recorded tax is not what was read back';
};
