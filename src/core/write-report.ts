import type { PeriodReport } from '../close/figures/period-report.ts';

export type WrittenReport = {
  readonly report: PeriodReport;
  readonly folder: string;
  readonly files: readonly string[];
};
