import { Command, CommanderError } from 'commander';
import { ExitCode, exitCodeOf } from '../kernel/exit-code.ts';
import { COMMANDS } from './command-table.ts';
import type { CommandIo } from './io.ts';
import { refuseTakenOptions } from './npm-options.ts';
import { errorObject, errorText, usageObject } from './print-error.ts';

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
  const wanted = argv.find((word) => !word.startsWith('-') && word !== 'help');
  for (const { name, summary, examples, load } of COMMANDS) {
    const build = name === wanted ? await load() : undefined;
    const command = build
      ? build(io, (result) => {
          code = result;
        })
      : new Command(name);
    const shown = examples.map((line) => `  ${line}`).join('\n');
    program.addCommand(
      command
        .description(summary)
        .addHelpText('afterAll', `\nExample${examples.length > 1 ? 's' : ''}:\n${shown}`),
    );
  }
  prepare(program, io);
  try {
    for (const command of program.commands)
      if (command.name() === wanted) refuseTakenOptions(command, io.variable);
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
