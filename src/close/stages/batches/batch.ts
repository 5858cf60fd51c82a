import type { FilingPeriod } from '../../../kernel/period.ts';
import { configurationDigest } from '../../configuration/configuration-digest.ts';
import type { ClosePorts, Maker } from '../close-ports.ts';

export type BatchStage = 'ask' | 'recompute' | 'submit' | 'pull-back' | 'reconcile';

/** Part of a stage, as data: enough for any process that has the same configuration and the same service. */
export type Batch = {
  readonly maker: Maker;
  /** One handing out of a stage: while it lasts, the sales of the period do not change. */
  readonly run: string;
  readonly entity: string;
  readonly period: FilingPeriod;
  readonly stage: BatchStage;
  /** The slots of pages. */
  readonly slots: readonly string[];
  /** The sales of these pages that are wanted, by their keys; all of them when absent. */
  readonly keys?: readonly string[];
};

/** What a stage counts. */
export type BatchFigures = { readonly [name: string]: number };

export type BatchResult = { readonly sales: number; readonly figures: BatchFigures };

export const makerOf = ({ program, programDigest, configuration, serviceId }: ClosePorts): Maker => ({
  program: `${program} (${programDigest.slice(0, 8)})`,
  configuration: configurationDigest(configuration),
  service: serviceId,
});

/** Why a worker may not do a batch, or `undefined` when it may. */
export const differenceOf = (own: Maker, wanted: Maker): string | undefined => {
  if (own.program !== wanted.program) return `it is ${own.program}, and the close is ${wanted.program}`;
  if (own.service !== wanted.service)
    return `its tax service is ${own.service}, and that of the close is ${wanted.service}`;
  if (own.configuration !== wanted.configuration)
    return `its configuration (${own.configuration.slice(0, 8)}) is not that of the close (${wanted.configuration.slice(0, 8)})`;
  return undefined;
};
