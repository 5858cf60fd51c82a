import { fileURLToPath } from 'node:url';
import { type CommandIo, commandIo, runCommand } from '../entry/command.ts';

const CONFIG = fileURLToPath(new URL('../../samples/harbor-and-pine/tieout.yaml', import.meta.url));

type WorkerPorts = Parameters<Parameters<CommandIo['withWorker']>[2]>[0];
type Work = Parameters<WorkerPorts['takeBatches']>[0]['work'];

/** A batch, and what comes of it. */
export type Queued = {
  readonly batch: object;
  readonly outcome: Awaited<ReturnType<Work>>;
};

/**
 * Run `tieout worker` in this process, with a queue of its own that ends after these batches, and say of which entities it
 * takes batches.
 */
export const runWorker = async (
  queue: readonly Queued[],
  ...options: readonly string[]
): Promise<{
  readonly code: number;
  readonly printed: string;
  readonly entities: readonly string[];
}> => {
  let printed = '';
  let entities: readonly string[] = [];
  const add = (text: string) => {
    printed += text;
  };
  const io = commandIo({ print: add, warn: add });
  const takeBatches: WorkerPorts['takeBatches'] = async ({ work, told }) => {
    for (const [index, { batch }] of queue.entries()) {
      const text = JSON.stringify({ ...batch, index });
      const outcome = await work(text, { check: () => {} } as Parameters<Work>[1]);
      told(outcome);
      if ('refused' in outcome) return outcome.refused;
    }
    return undefined;
  };
  const doBatch = async ({ index }: { readonly index: number }) => queue[index]?.outcome;
  const ports = { name: 'worker 7 on here', entities: [], doBatch, takeBatches } as unknown as WorkerPorts;
  const code = await runCommand(['worker', '--config', CONFIG, ...options], {
    ...io,
    withWorker: (configurations, _options, work) => {
      entities = configurations.map(({ entity }) => entity);
      return work(ports);
    },
  });
  return { code, printed, entities };
};
