/**
 * What a program of one's own may use: build a close from a configuration, run the pipeline of a month or one of
 * one's own over it, and the port of the tax service.
 */
export { monthlyClose } from '../pipelines/monthly-close.ts';
export { buildClose } from './build-close.ts';
export { loadConfiguration } from './close/configuration/load-configuration.ts';
export type { ClosePorts } from './close/stages/close-ports.ts';
export type { TaxService } from './contract/tax-service.ts';
export { definePipeline } from './runtime/pipeline.ts';
