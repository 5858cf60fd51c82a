import { Command } from 'commander';
import { buildLog, type RunLogLevel } from '../app/build-log.ts';
import type { WorkerPorts } from '../app/build-worker.ts';
import { loadEntities } from '../configuration/load-configuration.ts';
import type { Work } from '../core/share.ts';
import { TieoutError } from '../kernel/errors.ts';
import type { Stopping } from '../runtime/pipeline.ts';
import type { RunLog } from '../runtime/progress.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, withContent, withLog } from './options.ts';

type Options = EntityOptions & {
  readonly content?: string;
  readonly quiet?: boolean;
  readonly logLevel?: RunLogLevel;
  readonly logFile?: string;
};

const STOPPING = 'Stopping when the batch at work is done. A second signal ends at once.\n';

/** Builds `tieout worker`: processes batches of closes that run with `--workers queue`, until it is asked to stop. */
export const workerCommand = (io: CommandIo): Command =>
  withContent(withLog(new Command('worker')))
    .option('-c, --config <file>', 'the configuration, the same as that of the close', 'tieout.yaml')
    .option('-e, --entity <name>', 'work on one entity only (default: all of them)')
    .option('-q, --quiet', 'print only errors')
    .action(async (options: Options) => {
      const configurations = await loadEntities(options.config, options.entity);
      const { log, close } = buildLog({ level: options.logLevel, file: options.logFile }, io.warn);
      const stopping = io.watchSignals(() => {
        if (!options.quiet) io.warn(STOPPING);
      });
      try {
        await io.withWorker(configurations, { content: options.content }, (ports) =>
          takeAll(io, options, ports, { log, stopping }),
        );
      } finally {
        stopping.release();
        close();
      }
    });

const takeAll = async (
  io: CommandIo,
  { quiet }: Options,
  { name, entities, doBatch, takeBatches }: WorkerPorts,
  { log, stopping }: { readonly log: RunLog; readonly stopping: Stopping },
): Promise<void> => {
  const say = (text: string): void => {
    if (!quiet) io.print(text);
  };
  let told = '';
  say(`${name} takes batches of ${entities.join(', ')}\n`);
  const refused = await takeBatches({
    stopping,
    work: async (text, lease) => {
      const work = JSON.parse(text) as Work;
      const { entity, period, day, sales } = work;
      const about = { entity, period: period.label, day, sales: sales.length };
      log.debug('a batch begins', about);
      // A line a day: its batches mostly come one after the other.
      const line = `${entity} ${period.label}: sales of ${day}\n`;
      if (line !== told) say(line);
      told = line;
      const outcome = await doBatch(work, lease.check);
      if ('refused' in outcome) return outcome;
      log.info('a batch is done', about);
      return outcome;
    },
    told: (outcome) => {
      if (!('failed' in outcome)) return;
      log.error('a batch failed', { code: outcome.failed.code, reason: outcome.failed.message });
      io.warn(`${outcome.failed.code}: ${outcome.failed.message}\n`);
    },
  });
  if (refused !== undefined) throw misplaced(name, refused);
};

const misplaced = (name: string, reason: string): TieoutError =>
  new TieoutError({
    code: 'E_WORKER_REFUSED',
    message: `${name} cannot work for the close that runs: ${reason}`,
    nextStep:
      'Give it the program, the configuration, the tax content and the key of the close, and start it again',
  });
