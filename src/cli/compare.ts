import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { withEntities, withLog } from './close-options.ts';
import type { CompareOptions } from './compare-entities.ts';
import type { CommandIo } from './io.ts';
import { wholeNumber } from './whole-number.ts';

/** Builds `tieout compare 2026-10 --with URL`: sends the same sales to a second service. */
export const compareCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withEntities(new Command('compare')))
    .argument('<period>', 'a month such as 2026-10, or 2026-Q4, 2026-H2, 2026, or 2026-10..2026-12')
    .requiredOption('--with <service>', 'the second service: its base address, or `embedded`')
    .option('--content <folder>', 'the tax content of the second service, when it is the embedded one')
    .option('--key-variable <name>', 'the environment variable that holds the key of the second service')
    .option('--insecure', 'allow plain HTTP to the second service on another machine')
    .option(
      '--max-calculations <number>',
      'stop before either service is asked for more calculations',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    )
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .option('-q, --quiet', 'print only errors')
    .action(async (period: string, options: CompareOptions) => {
      const { compareEntities } = await import('./compare-entities.ts');
      exit(await compareEntities(io, options, period));
    });
