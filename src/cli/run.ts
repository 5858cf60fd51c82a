import { Command, CommanderError } from 'commander';
import { closeCommand } from './close.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { plannedCommands } from './planned-commands.ts';
import { errorObject, errorText } from './print-error.ts';

/** Run one command line. Nothing is thrown: every failure becomes a message and an exit code. */
export const run = async (argv: readonly string[], version: string, io: CommandIo): Promise<ExitCode> => {
  let code: ExitCode = ExitCode.clean;
  const program = new Command('tieout')
    .description('Closes a seller’s sales-tax month.')
    .version(version)
    .showHelpAfterError('Run it with --help to see how it is used.')
    .exitOverride()
    .configureOutput({ writeOut: io.print, writeErr: io.warn });
  for (const command of [closeCommand(io, (result) => (code = result)), ...plannedCommands()]) {
    command.exitOverride().configureOutput({ writeOut: io.print, writeErr: io.warn });
    program.addCommand(command);
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.clean : ExitCode.usage;
    if (argv.includes('--json')) io.print(`${JSON.stringify(errorObject(error), null, 2)}\n`);
    io.warn(errorText(error));
    return exitCodeOf(error);
  }
};
