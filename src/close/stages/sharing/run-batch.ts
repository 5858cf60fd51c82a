import type { Json } from '../../../kernel/digest.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import {
  type Batch,
  type BatchFigures,
  type BatchResult,
  type BatchStage,
  buildOf,
  type ExportBatch,
  mismatch,
  type PageBatch,
} from './batch.ts';

/** What became of a batch, or why another worker has to do it. */
export type BatchOutcome = { readonly done: Json } | { readonly refused: string };

/**
 * Does batches of these entities with the functions of the stages. What is done of one already is not done again.
 * What `advanced` throws ends the batch.
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
    if (!own) return { refused: `its configuration has no entity ${batch.entity}` };
    const difference = await mismatch(own.build, batch.build);
    if (difference !== undefined) return { refused: difference };
    const done = batch.stage === 'extract' ? own.extract(batch, advanced) : own[batch.stage](batch, advanced);
    return { done: await done };
  };
};

/** Does the part of a stage that a batch is. */
export type BatchWork = (batch: PageBatch, advanced: Advanced) => Promise<BatchResult>;

/** How each stage does a batch. */
export type BatchStages = Readonly<Record<BatchStage, BatchWork>> & {
  readonly extract: (batch: ExportBatch, advanced: Advanced) => Promise<Json>;
};

type Reader<Page> = (
  workspace: Workspace,
  period: FilingPeriod,
  part: { readonly slots: readonly string[] },
) => AsyncGenerator<Page>;

/** Do something with the pages of a batch, and say how many sales were done. */
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
