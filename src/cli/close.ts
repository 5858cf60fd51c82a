import { Command, Option } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { type CommandIo, RUN_LOG_LEVELS, type RunLogLevel } from './io.ts';
import { wholeNumber } from './whole-number.ts';

/** Options of every command that works with the sales of entities. */
export type CloseCommandOptions = {
  readonly config: string;
  readonly entity?: string;
  readonly output?: string;
  readonly content?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly onlyNews?: boolean;
  readonly recompute?: boolean;
  readonly maxCalculations?: number;
  readonly workers?: 'queue';
  readonly lostAfter?: number;
  readonly patience?: number;
  readonly batchItems?: number;
  readonly logLevel?: RunLogLevel;
  readonly logFile?: string;
};

const ITEMS_MAX = 1_000;
const SECONDS_MAX = 86_400;
const PERIOD = 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026';

/** `tieout close 2026-10`: the command the cron job runs on the second of each month. */
export const closeCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('close'))))
    .argument('<period>', PERIOD)
    .option('-o, --output <folder>', 'where the workbooks go, instead of `output` of the configuration')
    .option('--dry-run', 'show what would be asked, sent and billed, and do none of it')
    .option('--recompute', 'ask again for calculations that are known')
    .addOption(
      new Option(
        '--workers <where>',
        'have `tieout worker` processes calculate, record and read back',
      ).choices(['queue']),
    )
    .option(
      '--lost-after <seconds>',
      'a worker that is not heard of for so long has lost its batch (15)',
      wholeNumber(SECONDS_MAX, 10),
    )
    .option(
      '--patience <seconds>',
      'end when no worker has taken a batch for so long (300)',
      wholeNumber(SECONDS_MAX),
    )
    .option('--batch-items <number>', 'sales or records of a batch (500)', wholeNumber(ITEMS_MAX, 1))
    .option('-q, --quiet', 'print nothing but errors')
    .option('--only-news', 'print no summary that says the same as that of the last run')
    .action(async (period: string, options: CloseCommandOptions & { readonly dryRun?: boolean }) => {
      const { closeEntities } = await import('./close-entities.ts');
      const { planEntities } = await import('./plan-entities.ts');
      exit(await (options.dryRun ? planEntities : closeEntities)(io, options, period));
    });

/** `tieout plan 2026-10`: the same as `close --dry-run`. */
export const planCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('plan'))))
    .argument('<period>', PERIOD)
    .option('--recompute', 'as if everything had to be asked again')
    .action(async (period: string, options: CloseCommandOptions) => {
      const { planEntities } = await import('./plan-entities.ts');
      exit(await planEntities(io, options, period));
    });

/** The options that choose a configuration, one of its entities, and the form of the answer. */
export const withEntities = (command: Command): Command =>
  command
    .option('-c, --config <file>', 'the configuration', 'tieout.yaml')
    .option('-e, --entity <name>', 'only this entity of the configuration; all of them when left out')
    .option('--json', 'one JSON object on standard output, nothing else there');

/** The options that choose the tax content and limit the calls. */
export const withBudget = (command: Command): Command =>
  command
    .option('--content <folder>', 'tax content, instead of the one that comes with Tieout')
    .option(
      '--max-calculations <number>',
      'calculations that may be asked for',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    );

/** The options of a log for machines. */
export const withLog = (command: Command): Command =>
  command
    .addOption(
      new Option('--log-level <level>', 'log as JSON lines, on standard error or to --log-file').choices([
        ...RUN_LOG_LEVELS,
      ]),
    )
    .option('--log-file <file>', 'append the log to a file');
