import { join } from 'node:path';
import { digestOf, type Json } from '../../kernel/digest.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { UNDECIDED } from '../reconcile/readiness.ts';
import { type Derived, deriveFromLogs, type Summing } from './derived.ts';
import { exceptionsCheck } from './exceptions-check.ts';
import { readLines, readLog } from './log-file.ts';
import { LOG_NAMES, type LoggedQuestion, logPath } from './logged.ts';
import { readExtras } from './logged-extras.ts';
import { derivationIn, type Manifest } from './manifest.ts';
import { type LoggedReport, readReportLog } from './report-log.ts';
import { type SumsGiven, sumsOfLines } from './sales-sums.ts';
import type { Problem } from './verify-files.ts';
import { checkReport } from './verify-report.ts';

/** Checks that every log exists and has as many records as the manifest says. */
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

/** The results of the logs, the other input of the books, and the report from both. */
export type Recomputed = {
  readonly derived: Derived;
  readonly logged: LoggedReport;
  /** The report before the decision whether the period can be filed, which depends on the returns. */
  readonly report: PeriodReport;
};

/** Runs `work` with a way to sum parts of the log of sales, in this thread or in several. */
export type WithSumming = <Result>(
  given: SumsGiven,
  sales: number,
  work: (summing: Summing) => Promise<Result>,
) => Promise<Result>;

type RecomputeGiven = {
  /** The file for the rows of Detail. */
  readonly detail: string;
  readonly withSumming?: WithSumming | undefined;
};

/** Sums in this thread only. */
export const alone: WithSumming = (given, _, work) =>
  work({ aheadMax: 0, sumsOf: async (lines) => sumsOfLines(lines, given) });

/**
 * Checks that every figure follows from the logs: each sale from what was requested, answered, sent and read back; the
 * report from the sales; and the manifest from the report.
 */
export const recompute = async (
  folder: string,
  { content }: Manifest,
  { detail, withSumming = alone }: RecomputeGiven,
): Promise<Recomputed | string> => {
  const logged = await readReportLog(join(folder, logPath('report')));
  const derivation = { ...derivationIn(content), service: logged.report.service };
  const extras = await readExtras(folder);
  if (typeof extras === 'string') return extras;
  const { period, registrations } = logged.report;
  const late = new Set(logged.report.late.flatMap(({ key, choice }) => (choice === 'open' ? [] : [key])));
  const sumsGiven = {
    ...{ derivation, extras, period, registrations },
    returns: logged.registrations,
  };
  const exceptions = exceptionsCheck(logged.report);
  const sales = content.logs.find(({ path }) => path === logPath('sales'))?.records ?? 0;
  const derived = await withSumming(sumsGiven, sales, (summing) =>
    deriveFromLogs({ ...sumsGiven, folder, detail, late, exceptions, summing }),
  );
  if (typeof derived === 'string') return derived;
  const problem = await questionProblem(folder);
  if (problem !== undefined) return problem;
  const undecided = { signOff: { contentDigest: '' }, readiness: UNDECIDED, remittances: [] };
  const report = { ...logged.report, ...derived.report, ...undecided };
  return checkReport(content, report, derived, exceptions) ?? { derived, logged, report };
};

/** Checks that the requests with one thing changed match their digests. */
const questionProblem = async (folder: string): Promise<Problem> => {
  for await (const line of readLog(join(folder, logPath('questions')))) {
    const { key, service, request, digest } = line as LoggedQuestion;
    if (digestOf({ service, request } as Json) !== digest) return `${key}: a question about it was changed`;
  }
  return undefined;
};
