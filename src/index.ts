/** What a program of one's own may use: the pipeline of a month, its stages' ports, and the port of the tax service. */
export { monthlyClose } from '../pipelines/monthly-close.ts';
export { loadConfiguration } from './close/configuration/load-configuration.ts';
export type { ClosePorts } from './close/stages/close-ports.ts';
export type { TaxService } from './contract/tax-service.ts';
export { definePipeline } from './runtime/pipeline.ts';
