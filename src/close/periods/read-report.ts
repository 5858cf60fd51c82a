import { readinessOf } from '../reconcile/readiness.ts';
import { type PeriodReport, unexplainedOf } from '../report/period-report.ts';

/** A report as the workspace keeps it. One of an earlier version has no readiness: it follows from its exceptions. */
export const readReport = (text: string): PeriodReport => {
  const kept = JSON.parse(text) as PeriodReport & { readonly readiness?: PeriodReport['readiness'] };
  if (kept.readiness !== undefined) return kept;
  const readiness = readinessOf({
    period: kept.period,
    exceptions: kept.exceptions,
    unexplained: unexplainedOf(kept),
    tolerance: kept.unexplainedTolerance,
    failedTests: [],
  });
  return { ...kept, readiness };
};
