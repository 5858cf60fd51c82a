import type { Json } from '../../../kernel/digest.ts';
import { DefectError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import {
  type Batch,
  type BatchFigures,
  type BatchResult,
  type BatchStage,
  buildOf,
  type DayBatch,
  type ExportBatch,
  mismatch,
  type PageBatch,
} from './batch.ts';

/** The result of a batch, or why another worker must process it. */
export type BatchOutcome = { readonly done: Json } | { readonly refused: string };

/**
 * Processes batches of these entities with the functions of the stages. Completed parts are not repeated. An error that
 * `advanced` throws stops the batch.
 */
export type BatchRunner = (batch: Batch, advanced: Advanced) => Promise<BatchOutcome>;

export const batchRunner = (
  closes: readonly ClosePorts[],
  stagesOf: (ports: ClosePorts) => BatchStages,
): BatchRunner => {
  const doers = new Map(
    closes.map((close) => [close.workspace.entity, { build: buildOf(close), ...stagesOf(close) }]),
  );
  return async (batch, advanced) => {
    const own = doers.get(batch.entity);
    if (!own) throw new DefectError(`a batch of ${batch.entity}, and this worker has no such entity`);
    const difference = await mismatch(own.build, batch.build);
    if (difference !== undefined) return { refused: difference };
    return { done: await doneBy(own, batch, advanced) };
  };
};

const doneBy = (own: BatchStages, batch: Batch, advanced: Advanced): Promise<Json> => {
  if (batch.stage === 'extract') return own.extract(batch, advanced);
  if (batch.stage === 'sale-pages') return own['sale-pages'](batch);
  return own[batch.stage](batch, advanced);
};

/** Processes a batch of a stage. */
export type BatchWork = (batch: PageBatch, advanced: Advanced) => Promise<BatchResult>;

/** The function with which each stage processes a batch. */
export type BatchStages = Readonly<Record<BatchStage, BatchWork>> & {
  readonly extract: (batch: ExportBatch, advanced: Advanced) => Promise<Json>;
  readonly 'sale-pages': (batch: DayBatch) => Promise<Json>;
};

type Reader<Page> = (
  workspace: Workspace,
  period: FilingPeriod,
  part: { readonly slots: readonly string[] },
) => AsyncGenerator<Page>;

/** Returns a function that processes the pages of a batch and counts the sales. */
export const withPages =
  <Page>(
    { workspace }: ClosePorts,
    read: Reader<Page>,
    work: (pages: AsyncGenerator<Page>, advanced: Advanced, batch: PageBatch) => Promise<BatchFigures>,
  ): BatchWork =>
  async (batch, advanced) => {
    let sales = 0;
    const counted: Advanced = (done) => {
      sales = done;
      advanced(done);
    };
    const pages = read(workspace, batch.period, { slots: batch.slots });
    return { figures: await work(pages, counted, batch), sales };
  };
