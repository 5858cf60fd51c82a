/**
 * The exports for custom programs: pipelines and the stages they consist of, what a stage works with, and the types and
 * functions for periods and amounts. `tieout run FILE` runs a custom pipeline with the ports of a close.
 */

export { z } from 'zod';
export { historicalBackfill } from '../pipelines/historical-backfill.ts';
export { closeExtracted, monthlyClose } from '../pipelines/monthly-close.ts';
export { buildClose } from './app/close/build-close.ts';
export { loadConfiguration, loadEntities } from './close/configuration/load-configuration.ts';
export { postedSalesOf } from './close/period-sales/sales-of.ts';
export { extractSales } from './close/stages/extract/extract-sales.ts';
export { readBackRecords } from './close/stages/read-back/read-back-records.ts';
export { recomputeTax } from './close/stages/recompute/recompute-tax.ts';
export { reconcileSales } from './close/stages/reconcile/reconcile-sales.ts';
export { writeReport } from './close/stages/report/write-report.ts';
export type { ClosePorts } from './close/stages/run/close-ports.ts';
export { PeriodParam } from './close/stages/run/period-param.ts';
export { submitTransactions } from './close/stages/submit/submit-transactions.ts';
export type { TaxService } from './contract/tax-service.ts';
export { TieoutError } from './kernel/errors.ts';
export { add, formatMoney, type Money, ZERO } from './kernel/money.ts';
export { monthsOf, parsePeriod } from './kernel/period.ts';
export { definePipeline, type StageResult, type StageRunner } from './runtime/pipeline.ts';
