import { join } from 'node:path';
import { UNDECIDED } from '../reconcile/readiness.ts';
import type { PeriodReport } from '../report/period-report.ts';
import { type Derived, deriveFromLogs, recordedTaxes } from './derived.ts';
import { readLog } from './log-file.ts';
import { LOG_NAMES, type LoggedCalculation, type LoggedSubmission, logPath } from './logged.ts';
import type { Manifest } from './manifest.ts';
import { type LoggedReport, readReportLog } from './report-log.ts';
import type { Problem } from './verify-files.ts';
import { checkReport } from './verify-report.ts';
import { checkSale } from './verify-sale.ts';

/** Every log is there, and has as many records as the manifest says. */
export const checkRecords = async (folder: string, { content }: Manifest): Promise<Problem> => {
  const paths = content.logs.map(({ path }) => path);
  const wanted = LOG_NAMES.map(logPath);
  if (paths.join() !== wanted.join()) return `the logs are ${paths.join(', ')}, and not ${wanted.join(', ')}`;
  for (const { path, records } of content.logs) {
    let count = 0;
    for await (const _ of readLog(join(folder, path))) count += 1;
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
  const recorded = await recordedTaxes(folder);
  const asked = inSaleOrder<LoggedCalculation>(folder, 'calculations', ({ code }) => code === undefined);
  const sent = inSaleOrder<LoggedSubmission>(folder, 'submissions', () => true);
  const derived = await deriveFromLogs({
    folder,
    period: logged.report.period,
    plan: logged.samplingPlan,
    registrations: logged.report.registrations,
    check: async (sale) => {
      const { key } = sale.sale;
      const calculation = sale.calculation === null ? undefined : await asked.take(key);
      const submitted = sale.submission === null ? undefined : await sent.take(key);
      return checkSale(sale, { asked: calculation, submitted, recorded });
    },
  });
  if (typeof derived === 'string') return derived;
  const left = (await sent.rest()) ?? (await asked.rest());
  if (left) return `${left.key} is in the log of what was asked or sent, and not where the sales say so`;
  const undecided = { signOff: { contentDigest: '' }, readiness: UNDECIDED, remittances: [] };
  const report = { ...logged.report, ...derived.report, ...undecided };
  return checkReport(content, report, derived) ?? { derived, logged, report };
};

/** Lines of a log for one sale after the other. The logs are in the order of the sales, so none is held in memory. */
const inSaleOrder = <Line extends { readonly key: string }>(
  folder: string,
  name: 'calculations' | 'submissions',
  isOwn: (line: Line) => boolean,
) => {
  const log = readLog(join(folder, logPath(name)));
  const next = async (): Promise<Line | undefined> => {
    for (;;) {
      const { done, value } = await log.next();
      if (done) return undefined;
      if (isOwn(value as Line)) return value as Line;
    }
  };
  return {
    /** The line of a sale, which must be the next one. */
    take: async (key: string): Promise<Line | undefined> => {
      const line = await next();
      return line?.key === key ? line : undefined;
    },
    /** A line that no sale has asked for. */
    rest: next,
  };
};
