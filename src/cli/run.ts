import { Command, CommanderError } from 'commander';
import { TieoutError } from '../kernel/errors.ts';
import { ExitCode, exitCodeOf } from '../kernel/exit-code.ts';
import { COMMANDS } from './command-table.ts';
import type { CommandIo } from './io.ts';
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

type Environment = (name: string) => string | undefined;

/**
 * `npm run tieout close 2026-10 --json` lacks a `--`: npm takes the option for its own, passes on the rest, and leaves
 * `npm_config_json=true` in the environment.
 *
 * @throws {TieoutError} E_USAGE naming the options that npm took
 */
const refuseTakenOptions = (command: Command, variable: Environment): void => {
  if (variable('npm_lifecycle_event') !== 'tieout') return;
  const taken = optionsOf(command).filter(
    (name) => variable(`npm_config_${name.replace(/^-+/, '').replaceAll('-', '_')}`) === 'true',
  );
  if (taken.length === 0) return;
  throw new TieoutError({
    code: 'E_USAGE',
    recovery: 'usage',
    message: `npm took ${taken.join(' and ')} as its own option`,
    nextStep: `Write -- before the arguments: npm run tieout -- ${command.name()} …`,
  });
};

const optionsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long, short }) => [long, short].filter((name) => name !== undefined)),
  ...command.commands.flatMap(optionsOf),
];
