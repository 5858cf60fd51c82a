import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { withEntities } from './close.ts';
import type { CommandIo } from './io.ts';

export type DoctorOptions = {
  readonly config: string;
  readonly entity?: string;
  readonly content?: string;
  readonly output?: string;
  readonly json?: boolean;
};

/** `tieout doctor`: whether a close would find everything it needs. Nothing is asked for money, sent or written. */
export const doctorCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withEntities(new Command('doctor'))
    .option('--content <folder>', 'tax content, instead of the one that comes with Tieout')
    .option('-o, --output <folder>', 'where the workbooks go, instead of `output` of the configuration')
    .action(async (options: DoctorOptions) => {
      const { examineEntities } = await import('./examine-entities.ts');
      exit(await examineEntities(io, options));
    });
