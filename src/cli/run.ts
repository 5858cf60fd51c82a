import { Command, CommanderError } from 'commander';
import { accountCommand } from './account.ts';
import { closeCommand, planCommand } from './close.ts';
import { contentCommand } from './content.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { lockCommand } from './lock.ts';
import { plannedCommands } from './planned-commands.ts';
import { errorObject, errorText, usageObject } from './print-error.ts';
import { profileCommand } from './profile.ts';
import { serveCommand } from './serve.ts';
import { signCommand } from './sign.ts';
import { statusCommand } from './status.ts';
import { verifyCommand } from './verify.ts';

/** Every command, however deep, prints through us and never ends the process by itself. */
const prepare = (command: Command, io: CommandIo): void => {
  command.exitOverride().configureOutput({ writeOut: io.print, writeErr: io.warn });
  for (const child of command.commands) prepare(child, io);
};

/** Run one command line. Nothing is thrown: every failure becomes a message and an exit code. */
export const run = async (argv: readonly string[], version: string, io: CommandIo): Promise<ExitCode> => {
  let code: ExitCode = ExitCode.clean;
  const program = new Command('tieout')
    .description('Closes a seller’s sales-tax month.')
    .version(version)
    .showHelpAfterError('Run it with --help to see how it is used.');
  const commands = [
    closeCommand(io, (result) => {
      code = result;
    }),
    planCommand(io, (result) => {
      code = result;
    }),
    statusCommand(io),
    lockCommand(io),
    profileCommand(io, (result) => {
      code = result;
    }),
    signCommand(io),
    verifyCommand(io, (result) => {
      code = result;
    }),
    contentCommand(io),
    serveCommand(io),
    accountCommand(io),
    ...plannedCommands(),
  ];
  for (const command of commands) program.addCommand(command);
  prepare(program, io);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0 && argv.includes('--json'))
        io.print(`${JSON.stringify(usageObject(error), null, 2)}\n`);
      return error.exitCode === 0 ? ExitCode.clean : ExitCode.usage;
    }
    if (argv.includes('--json')) io.print(`${JSON.stringify(errorObject(error), null, 2)}\n`);
    io.warn(errorText(error));
    return exitCodeOf(error);
  }
};
