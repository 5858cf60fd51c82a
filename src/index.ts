/**
 * The exports for programs that use Tieout as a library: the configuration, everything a close works with, the closes
 * themselves, and the types and functions for periods and amounts.
 */

export { historicalBackfill } from '../pipelines/historical-backfill.ts';
export { monthlyClose } from '../pipelines/monthly-close.ts';
export { withClose } from './app/build-close.ts';
export { loadConfiguration, loadEntities } from './configuration/load-configuration.ts';
export type { TaxService } from './contract/tax-service.ts';
export { postedSales } from './core/plan.ts';
export { TieoutError } from './kernel/errors.ts';
export { add, formatMoney, type Money, ZERO } from './kernel/money.ts';
export { monthsOf, parsePeriod } from './kernel/period.ts';
export type { ClosePorts } from './periods/close-ports.ts';
export { readExports } from './read/read-exports.ts';
