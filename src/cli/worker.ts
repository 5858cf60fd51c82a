import { Command } from 'commander';
import type { WorkerPorts } from '../app/build-worker.ts';
import { loadEntities } from '../configuration/load-configuration.ts';
import type { Work } from '../core/share.ts';
import { TieoutError } from '../kernel/errors.ts';
import type { Stopping } from '../runtime/pipeline.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, withContent } from './options.ts';

type Options = EntityOptions & { readonly content?: string; readonly quiet?: boolean };

const STOPPING = 'Stopping when the batch at work is done. A second signal ends at once.\n';

/** Builds `tieout worker`: processes batches of closes that run with `--workers queue`, until it is asked to stop. */
export const workerCommand = (io: CommandIo): Command =>
  withContent(new Command('worker'))
    .option('-c, --config <file>', 'the configuration, the same as that of the close', 'tieout.yaml')
    .option('-e, --entity <name>', 'work on one entity only (default: all of them)')
    .option('-q, --quiet', 'print only errors')
    .action(async ({ config, entity, content, quiet = false }: Options) => {
      const configurations = await loadEntities(config, entity);
      const stopping = io.watchSignals(() => {
        if (!quiet) io.warn(STOPPING);
      });
      try {
        await io.withWorker(configurations, { content }, (ports) => takeAll(io, quiet, ports, stopping));
      } finally {
        stopping.release();
      }
    });

const takeAll = async (
  io: CommandIo,
  quiet: boolean,
  { name, entities, doBatch, takeBatches }: WorkerPorts,
  stopping: Stopping,
): Promise<void> => {
  let told = '';
  const say = (text: string): void => {
    if (!quiet && text !== told) io.print(text);
    told = text;
  };
  say(`${name} takes batches of ${entities.join(', ')}\n`);
  const refused = await takeBatches({
    stopping,
    work: async (text, lease) => {
      const work = JSON.parse(text) as Work;
      // A line a day: its batches mostly come one after the other.
      say(`${work.entity} ${work.period.label}: sales of ${work.day}\n`);
      return doBatch(work, lease.check);
    },
    told: (outcome) => {
      if ('failed' in outcome) io.warn(`${outcome.failed.code}: ${outcome.failed.message}\n`);
    },
  });
  if (refused === undefined) return;
  throw new TieoutError({
    code: 'E_WORKER_REFUSED',
    message: `${name} cannot work for the close that runs: ${refused}`,
    nextStep:
      'Give it the program, the configuration, the tax content and the key of the close, and start it again',
  });
};
