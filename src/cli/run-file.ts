import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import { type CloseCommandOptions, withBudget, withEntities, withLog } from './close-options.ts';
import type { CommandIo } from './io.ts';

/** Builds `tieout run FILE`: runs a user's own pipeline with the ports and conventions of a close. */
export const runFileCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('run'))))
    .argument('<file>', 'a TypeScript or JavaScript file that exports a pipeline')
    .argument('[params...]', 'parameters as name=value; a bare word is the period')
    .option('-o, --output <folder>', 'write below this folder instead of `output` of the configuration')
    .option('-q, --quiet', 'print only errors')
    .action(async (file: string, params: readonly string[], options: CloseCommandOptions) => {
      const { runPipelineFile } = await import('./run-pipeline-file.ts');
      exit(await runPipelineFile(io, options, file, params));
    });
