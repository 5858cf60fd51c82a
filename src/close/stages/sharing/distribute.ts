import { randomUUID } from 'node:crypto';
import type { Json } from '../../../kernel/digest.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Workers } from '../../../runtime/worker-pool.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import { type BatchFigures, type BatchResult, type BatchStage, buildOf, type PageBatch } from './batch.ts';

/**
 * Have workers process a stage batch by batch, each a few pages. Returns the total of their figures and the `counted`
 * ones.
 */
export const distribute = async <Figures extends BatchFigures>(
  ports: ClosePorts,
  workers: Workers,
  task: { readonly stage: BatchStage; readonly period: FilingPeriod; readonly counted: Figures },
  batches: AsyncIterable<readonly string[] | Pick<PageBatch, 'slots' | 'keys'>>,
  advanced: Advanced,
): Promise<Figures> => {
  const { stage, period } = task;
  const sums: Record<string, number> = { ...task.counted };
  const build = buildOf(ports);
  const { entity } = ports.workspace;
  const run = randomUUID();
  let done = 0;
  async function* pieces(): AsyncGenerator<Json> {
    for await (const part of batches) {
      const pages = 'slots' in part ? part : { slots: part };
      yield { build, run, entity, period, stage, ...pages } satisfies PageBatch as Json;
    }
  }
  await workers.doAll(
    pieces(),
    (result) => {
      const { sales, figures } = result as BatchResult;
      for (const [name, value] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + value;
      done += sales;
    },
    () => advanced(done),
  );
  return sums as Figures;
};
