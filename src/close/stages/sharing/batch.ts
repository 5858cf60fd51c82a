import type { Json } from '../../../kernel/digest.ts';
import { changedPart, type Parts } from '../../../kernel/parts.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { workParts } from '../../configuration/parts.ts';
import type { ClosePorts } from '../run/close-ports.ts';

export type BatchStage = 'ask' | 'recompute' | 'submit' | 'read-back' | 'reconcile';

/** Part of a stage, as data: enough for any process that has the same configuration and the same service. */
export type Batch = PageBatch | ExportBatch;

type BuiltBy = { readonly build: Build; readonly entity: string };

/** A share of an export, which only threads of the close read: they find the same files. */
export type ExportBatch = BuiltBy & { readonly stage: 'extract'; readonly share: Json };

/** Pages of a period. */
export type PageBatch = BuiltBy & {
  /** One handing out of a stage: while it lasts, the sales of the period do not change. */
  readonly run: string;
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

/** What has to be the same in two threads or processes, so that one can do the work of the other. */
const BUILD_PARTS = ['program', 'service', 'configuration'] as const;

type Build = Parts<(typeof BUILD_PARTS)[number]>;

export const buildOf = (ports: ClosePorts): Build => {
  const { service, configuration } = workParts(ports);
  return { program: `${ports.program} (${ports.programDigest.slice(0, 8)})`, service, configuration };
};

/** Why a worker may not do a batch, or `undefined` when it may. */
export const mismatch = async (own: Build, wanted: Build): Promise<string | undefined> => {
  const changed = await changedPart(own, wanted, BUILD_PARTS);
  return changed && MISMATCHES[changed](own[changed], wanted[changed]);
};

const MISMATCHES: Readonly<Record<keyof Build, (own: string, wanted: string) => string>> = {
  program: (own, wanted) => `it is ${own}, and the close is ${wanted}`,
  service: (own, wanted) => `its tax service is ${own}, and that of the close is ${wanted}`,
  configuration: (own, wanted) =>
    `its configuration (${own.slice(0, 8)}) is not that of the close (${wanted.slice(0, 8)})`,
};
