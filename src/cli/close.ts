import { Command } from 'commander';
import { closePlan } from '../../pipelines/close-plan.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { type LoadedConfiguration, loadConfiguration } from '../close/configuration/load-configuration.ts';
import type { ClosePorts } from '../close/stages/close-ports.ts';
import { startRun } from '../close/workspace/runs.ts';
import { TieoutError } from '../kernel/errors.ts';
import { parsePeriod } from '../kernel/period.ts';
import { type Progress, plainProgress, silentProgress, terminalProgress } from '../runtime/progress.ts';
import { type Closed, closeFigures, closeText, exitCodeOfClose } from './close-summary.ts';
import { type ExitCode, exitCodeOf } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { wholeNumber } from './whole-number.ts';

type Options = {
  readonly config: string;
  readonly output?: string;
  readonly content?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly dryRun?: boolean;
  readonly recompute?: boolean;
  readonly maxCalculations?: number;
};

/** `tieout close 2026-10`: the command the cron job runs on the second of each month. */
export const closeCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('close')
    .description('close a filing period: all stages, all workbooks')
    .argument('<period>', 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026')
    .option('-c, --config <file>', 'the configuration', 'tieout.yaml')
    .option('-o, --output <folder>', 'where the workbooks go, instead of `output` of the configuration')
    .option('--content <folder>', 'tax content, instead of the one that comes with Tieout')
    .option('--dry-run', 'show what would be asked, sent and billed, and do none of it')
    .option(
      '--max-calculations <number>',
      'calculations that may be asked for',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    )
    .option('--recompute', 'ask again for calculations that are known')
    .option('--json', 'one JSON object on standard output, nothing else there')
    .option('-q, --quiet', 'print nothing but errors')
    .action(async (period: string, options: Options) => {
      if (!parsePeriod(period)) throw unknownPeriod(period);
      const configuration = await loadConfiguration(options.config);
      if (options.dryRun) await planOnce(io, configuration, options, period);
      else exit(await closeAndTell(io, configuration, options, period));
    });

/** `tieout plan 2026-10`: the same as `close --dry-run`. */
export const planCommand = (io: CommandIo): Command =>
  new Command('plan')
    .description('what closing a period would ask, send and cost')
    .argument('<period>', 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026')
    .option('-c, --config <file>', 'the configuration', 'tieout.yaml')
    .option('--content <folder>', 'tax content, instead of the one that comes with Tieout')
    .option(
      '--max-calculations <number>',
      'calculations that may be asked for',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    )
    .option('--recompute', 'as if everything had to be asked again')
    .option('--json', 'one JSON object on standard output, nothing else there')
    .action(async (period: string, options: Options) => {
      if (!parsePeriod(period)) throw unknownPeriod(period);
      await planOnce(io, await loadConfiguration(options.config), options, period);
    });

const portOptions = ({ output, content, recompute, maxCalculations }: Options) => ({
  output,
  content,
  recompute: recompute === true,
  maxCalculations,
});

const planOnce = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  options: Options,
  period: string,
): Promise<void> => {
  const plan = await io.withClose(configuration, portOptions(options), (ports) =>
    closePlan.run({ ...ports, progress: progressOf(io, options) }, { period }),
  );
  if (options.json)
    io.print(`${JSON.stringify({ entity: configuration.entity, period, ...plan }, null, 2)}\n`);
};

const closeAndTell = async (
  io: CommandIo,
  configuration: LoadedConfiguration,
  options: Options,
  period: string,
): Promise<ExitCode> => {
  const closed = await io.withClose(configuration, portOptions(options), (ports) =>
    closeOnce({ ...ports, progress: progressOf(io, options) }, period),
  );
  if (options.json) io.print(`${JSON.stringify(closeFigures(closed), null, 2)}\n`);
  else if (!options.quiet) io.print(closeText(closed, io.isTerminal));
  return exitCodeOfClose(closed);
};

/** Run the pipeline, and leave a note in the workspace of how it went. */
const closeOnce = async (
  ports: ClosePorts & { readonly progress: Progress },
  period: string,
): Promise<Closed> => {
  const note = await startRun(ports.workspace, ports.clock, { pipeline: monthlyClose.name, period });
  try {
    const closed = await monthlyClose.run(ports, { period });
    const { recomputed, submitted, pulledBack, reconciled } = closed;
    await note.finish(exitCodeOfClose(closed), { recomputed, submitted, pulledBack, reconciled });
    return closed;
  } catch (error) {
    await note.finish(exitCodeOf(error), { error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
};

const progressOf = (io: CommandIo, { json, quiet }: Options): Progress => {
  if (json || quiet) return silentProgress;
  return io.isTerminal ? terminalProgress(io.warn) : plainProgress(io.print);
};

export const unknownPeriod = (text: string): TieoutError =>
  new TieoutError({
    code: 'E_PERIOD',
    recovery: 'usage',
    message: `"${text}" is no filing period`,
    nextStep:
      'Write a month as 2026-10, a quarter as 2026-Q4, a half as 2026-H2, a year as 2026, or a range as 2026-10..2026-12.',
  });
