import { Command, Option } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { type CloseCommandOptions, withBudget, withEntities, withLog } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { wholeNumber } from './whole-number.ts';

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
