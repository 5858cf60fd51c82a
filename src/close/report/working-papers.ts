import type { PeriodReport } from '../figures/period-report.ts';
import type { DetailLine } from '../reconcile/detail-row.ts';
import { type SamplingPlan, sampler } from '../reconcile/sampling.ts';
import type { RowPages } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { numbered, propertiesOf } from './book.ts';
import { samplingSheet } from './sheets/sampling.ts';

/**
 * Builds working-papers.xlsx, which a close writes where it is asked to: rows drawn by chance for testing.
 */
export const workingPapers = async (
  report: PeriodReport,
  plan: SamplingPlan,
  detail: RowPages<DetailLine>,
): Promise<WorkbookContent> => {
  const sample = sampler(plan);
  for await (const page of detail) page.forEach(sample.add);
  return {
    properties: propertiesOf(report, `Working papers ${report.period.label}: ${report.seller}`),
    sheets: numbered('W', [{ sheet: samplingSheet(plan, sample.drawn()), tab: 'support' }]),
  };
};
