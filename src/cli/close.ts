import { Command, Option } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { type CloseCommandOptions, withBudget, withEntities, withLog } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { wholeNumber } from './whole-number.ts';

const ITEMS_MAX = 1_000;
const SECONDS_MAX = 86_400;

/** Builds `tieout close 2026-10`: the command that a cron job runs on the second of each month. */
export const closeCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('close'))))
    .argument('<period>', 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026, or 2026-10..2026-12')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .addOption(
      new Option('--plan', 'show what the close would calculate, send and cost, and do nothing').conflicts(
        'onlyNews',
      ),
    )
    .addOption(
      new Option(
        '--amend',
        'write the next amended version of a locked period, with the late items that are to be amended',
      ).conflicts('plan'),
    )
    .addOption(
      new Option(
        '--recheck',
        'draw a period again into the new folder --output as if it were not locked, and name what differs',
      ).conflicts(['plan', 'amend', 'onlyNews', 'workers']),
    )
    .option('--recompute', 'calculate again what is already known')
    .option(
      '--working-papers',
      'write working-papers.xlsx as well: a sample of Detail for an auditor’s tests',
    )
    .option('--no-working-papers', 'leave them out again')
    .addOption(
      new Option('--workers <where>', 'share the work with `tieout worker` processes').choices(['queue']),
    )
    .option(
      '--lost-after <seconds>',
      'give the batch of a worker that is silent for so long to another (15)',
      wholeNumber(SECONDS_MAX, 10),
    )
    .option(
      '--patience <seconds>',
      'give up if no worker picks up a batch within this time (300)',
      wholeNumber(SECONDS_MAX),
    )
    .option('--batch-items <number>', 'put this many sales in a batch (500)', wholeNumber(ITEMS_MAX, 1))
    .option('-q, --quiet', 'print only errors')
    .option('--only-news', 'print the summary only if it differs from the last run’s')
    .action(async (period: string, options: Options) => {
      const work = await workOf(options);
      exit(await work(io, options, period));
    });

type Options = CloseCommandOptions & { readonly plan?: boolean; readonly recheck?: boolean };

const workOf = async ({ plan, recheck }: Options) => {
  if (plan) return (await import('./plan-entities.ts')).planEntities;
  if (recheck) return (await import('./recheck-entities.ts')).recheckEntities;
  return (await import('./close-entities.ts')).closeEntities;
};
