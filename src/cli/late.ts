import { Command } from 'commander';
import { late } from '../../pipelines/late.ts';
import { loadConfiguration } from '../close/configuration/load-configuration.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import { silentProgress } from '../runtime/progress.ts';
import { periodOf } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { lateObject, lateText } from './late-text.ts';
import { lockObject, lockText } from './lock.ts';

type Options = {
  readonly config: string;
  readonly entity?: string;
  readonly output?: string;
  readonly content?: string;
  readonly carry?: true | string[];
  readonly amend?: true | string[];
  readonly as?: string;
  readonly reason?: string;
  readonly openExceptions?: string;
  readonly json?: boolean;
};

/** `tieout late 2026-10`: what came late for a locked period, and what is done about it. */
export const lateCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('late')
    .argument('<period>', 'a locked period, such as 2026-10')
    .option('--carry [record...]', 'file these, or all, with the next open period')
    .option('--amend [record...]', 'file these, or all, in an amended version, which is closed and locked')
    .option('--as <name>', 'who decides')
    .option('--reason <why>', 'why')
    .option('--open-exceptions <why>', 'lock an amended version although exceptions are open, and say why')
    .option('-c, --config <file>', 'the configuration', 'tieout.yaml')
    .option('-e, --entity <name>', 'the entity, when the configuration has several')
    .option('-o, --output <folder>', 'where the workbooks go, instead of `output` of the configuration')
    .option('--content <folder>', 'tax content, instead of the one that comes with Tieout')
    .option('--json', 'one JSON object on standard output, nothing else there')
    .action(async (text: string, options: Options) => {
      const label = periodOf(text).label;
      const configuration = await loadConfiguration(options.config, options.entity);
      const { output, content } = options;
      const ports = { output, content, recompute: false, maxCalculations: undefined };
      const { listing, amended } = await io.withClose(configuration, ports, (close) =>
        late.run({ ...close, progress: silentProgress }, paramsOf(label, options)),
      );
      const object = {
        entity: configuration.entity,
        ...lateObject(listing),
        ...(amended && { amended: lockObject(amended) }),
      };
      if (options.json) io.print(`${JSON.stringify(object, null, 2)}\n`);
      else io.print(`${amended ? `${lockText(amended)}\n` : ''}${lateText(listing)}`);
      exit(listing.open.length === 0 ? ExitCode.clean : ExitCode.open);
    });

/** The pipeline's parameters: with neither `--carry` nor `--amend` nothing is decided. */
const paramsOf = (
  period: string,
  { carry, amend, as: who, reason: why, openExceptions }: Options,
): object => {
  const named = amend ?? carry;
  return {
    period,
    ...(named !== undefined && { choice: amend === undefined ? 'carry' : 'amend' }),
    ...(Array.isArray(named) && { records: named }),
    ...{ who, why, openExceptions },
  };
};
