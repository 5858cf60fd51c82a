import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import type { BackfillOptions } from './backfill-entities.ts';
import { withBudget, withEntities, withLog } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { wholeNumber } from './whole-number.ts';

/** Maximum number of parallel months: more would only wait for each other. */
const PARALLEL_MAX = 6;

/** Builds `tieout backfill 2023-01..2025-12`: closes the months of a range, one after another or in parallel. */
export const backfillCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('backfill'))))
    .argument('<months>', 'a range such as 2023-01..2025-12, or 2025, 2025-H2')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .option('--parallel <number>', 'work on this many months at once', wholeNumber(PARALLEL_MAX, 1), 1)
    .option('--recompute', 'calculate again what is already known')
    .option('-q, --quiet', 'print only errors')
    .action(async (months: string, options: BackfillOptions) => {
      const { backfillEntities } = await import('./backfill-entities.ts');
      exit(await backfillEntities(io, options, months));
    });
