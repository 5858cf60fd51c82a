import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { withEntities } from './close-options.ts';
import type { DoctorOptions } from './examinations.ts';
import type { CommandIo } from './io.ts';

/** Builds `tieout doctor`: checks what a close needs, without paid calls and without sending or writing anything. */
export const doctorCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntities(new Command('doctor'))
    .option('--content <folder>', 'use this tax content folder instead of the built-in one')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .action(async (options: DoctorOptions) => {
      const { examineEntities } = await import('./examine-entities.ts');
      exit(await examineEntities(io, options));
    });
