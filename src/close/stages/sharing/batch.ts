import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { Json } from '../../../kernel/digest.ts';
import { changedPart, type Parts } from '../../../kernel/parts.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { workParts } from '../../configuration/parts.ts';
import type { ClosePorts } from '../run/close-ports.ts';

export type BatchStage = 'ask' | 'recompute' | 'submit' | 'read-back' | 'reconcile';

/** Part of a stage, as data that is sufficient for any process with the same configuration and the same service. */
export type Batch = PageBatch | ExportBatch | DayBatch;

type BuiltBy = { readonly build: Build; readonly entity: string };

/** A share of an export. Any process with the same file at the same place can read it. */
export type ExportBatch = BuiltBy & {
  readonly stage: 'extract';
  /** The name of the export. */
  readonly file: string;
  readonly share: Json;
  /** Whether the reader may be on another machine, and must check that its file is the same. */
  readonly isElsewhere: boolean;
};

/** A day whose pages of sales are to be written. */
export type DayBatch = BuiltBy & { readonly stage: 'sale-pages'; readonly day: CalendarDate };

/** Pages of a period. */
export type PageBatch = BuiltBy & {
  /** The id of one distribution of a stage. The sales of the period do not change during it. */
  readonly run: string;
  readonly period: FilingPeriod;
  readonly stage: BatchStage;
  /** The slots of pages. */
  readonly slots: readonly string[];
  /** The keys of the wanted sales of these pages; all of them when absent. */
  readonly keys?: readonly string[];
};

/** The counters of a stage. */
export type BatchFigures = { readonly [name: string]: number };

export type BatchResult = { readonly sales: number; readonly figures: BatchFigures };

/** The parts that must be equal in two threads or processes, so that one can do the work of the other. */
const BUILD_PARTS = ['program', 'service', 'configuration'] as const;

type Build = Parts<(typeof BUILD_PARTS)[number]>;

export const buildOf = (ports: ClosePorts): Build => {
  const { service, configuration } = workParts(ports);
  return { program: `${ports.program} (${ports.programDigest.slice(0, 8)})`, service, configuration };
};

/** Returns why a worker may not process a batch; `undefined` when it may. */
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
