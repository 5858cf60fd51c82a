import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { type CloseCommandOptions, withBudget, withEntities, withLog } from './close-options.ts';
import type { CommandIo } from './io.ts';

/** Builds `tieout backfill 2023-01..2025-12`: closes the months of a range in order. */
export const backfillCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('backfill'))))
    .argument('<months>', 'a range such as 2023-01..2025-12, or 2025, 2025-H2')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .option('--recompute', 'calculate again what is already known')
    .option('-q, --quiet', 'print only errors')
    .action(async (months: string, options: CloseCommandOptions) => {
      const { backfillEntities } = await import('./backfill-entities.ts');
      exit(await backfillEntities(io, options, months));
    });
