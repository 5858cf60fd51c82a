import { Command } from 'commander';
import type { ExitCode } from '../kernel/exit-code.ts';
import type { InitOptions } from './init-questions.ts';
import type { CommandIo } from './io.ts';

/** Builds `tieout init FOLDER`: creates a configuration for a folder of exports. */
export const initCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  new Command('init')
    .argument('[folder]', 'the folder with the exports of your shops', '.')
    .option('-o, --output <file>', 'write the configuration there (default: tieout.yaml in the folder)')
    .option('--name <name>', 'the seller’s name')
    .option('--ship-from <address>', 'the ZIP code or address that orders are sent from')
    .option('--time-zone <zone>', 'the zone that decides which day a sale belongs to')
    .option('-y, --yes', 'ask nothing, and mark every assumption in the file')
    .option('--json', 'print a single JSON object to stdout')
    .action(async (folder: string, options: InitOptions) => {
      const { initFolder } = await import('./init-folder.ts');
      exit(await initFolder(io, folder, options));
    });
