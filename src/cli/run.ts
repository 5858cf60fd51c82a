import { resolve } from 'node:path';
import { Command, type CommanderError } from 'commander';
import { ExitCode, exitCodeOf, TieoutError } from '../kernel/errors.ts';
import { quoted } from '../kernel/text.ts';
import { COMMANDS, PAGES, WITH_CONFIGURATION, WITH_ENTITY } from './command-table.ts';
import type { CommandIo } from './io.ts';
import { errorObject, errorText, printAnswer } from './print.ts';

/** Thrown where commander has printed what was asked for: help, or the version. */
class Printed extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode) {
    super('printed');
    this.code = code;
  }
}

/**
 * Makes every command, including subcommands, print through `io` and never end the process itself. We print its errors.
 */
const prepare = (command: Command, io: CommandIo): void => {
  command
    .exitOverride((error) => {
      throw usageErrorOf(error, command);
    })
    .configureOutput({ writeOut: io.print, writeErr: io.warn, outputError: () => {} })
    .helpOption('-h, --help', 'show help');
  if (command.commands.length > 0) command.helpCommand('help [command]', 'Show the help of a command');
  for (const child of command.commands) prepare(child, io);
};

const EXIT_CODES = `
Exit codes:
  0   done, nothing is open     69  not available: run it again later
  1   done, something is open   70  a defect: report it
  2   wrong command line        75  another run is at work: wait
  65  repair the input          78  correct the configuration

Read more: README.md and docs/README.md in `;

/** The hidden command with which a shell requests completions. */
const COMPLETE = 'complete';

/** Runs one command line. It never throws: every failure becomes a message and an exit code. */
export const run = async (
  argv: readonly string[],
  version: string,
  surroundings: CommandIo,
): Promise<ExitCode> => {
  const name = commandName(surroundings.variable);
  let completed = (text: string): string => text;
  const shown = (text: string): string => completed(text).replace(COMMAND, name);
  const io: CommandIo = {
    ...surroundings,
    print: (text) => surroundings.print(shown(text)),
    warn: (text) => surroundings.warn(shown(text)),
  };
  let code: ExitCode = ExitCode.clean;
  const program = new Command('tieout')
    .usage('<command> [options]')
    .description('Close a seller’s sales-tax month, and prove every figure of it.')
    .version(version, '-V, --version', 'print the version')
    .commandsGroup('Help:')
    .addHelpText('after', `${EXIT_CODES}${io.folder}`);
  const wanted = argv.find((word) => !word.startsWith('-') && word !== 'help');
  const isCompleting = wanted === COMPLETE;
  for (const { name: own, group, summary, examples, load } of COMMANDS) {
    if (isCompleting && own === 'completion') continue;
    const build = isCompleting || own === wanted ? await load() : undefined;
    const command =
      build?.(io, (result) => {
        code = result;
      }) ?? new Command(own);
    if (build) addExamples(command, examples, PAGES[group], `tieout ${own}`);
    program.addCommand(command.description(summary).helpGroup(`${group}:`));
  }
  if (isCompleting) (await import('./completion.ts')).addCompletion(program);
  prepare(program, io);
  program.hook('preAction', (_, command) => {
    completed = completedFor(command);
  });
  try {
    for (const command of program.commands)
      if (command.name() === wanted) refuseTakenOptions(command, io.variable);
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof Printed) return error.code;
    if (argv.includes('--json')) printAnswer(io, true, errorObject(error, completed), '');
    io.warn(errorText(error));
    return exitCodeOf(error);
  }
};

const commandPath = (command: Command): string =>
  command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();

/** Adds to a command's help its own examples and a page to read more. */
const addExamples = (command: Command, examples: readonly string[], page: string, path: string): void => {
  const own = examples.filter((line) => line === path || line.startsWith(`${path} `));
  const shown = own.map((line) => `\n  ${line}`).join('');
  command.addHelpText('after', `\nExample${own.length > 1 ? 's' : ''}:${shown}\n\nRead more: ${page}`);
  for (const child of command.commands) addExamples(child, examples, page, `${path} ${child.name()}`);
};

type Environment = (name: string) => string | undefined;

/**
 * Refuses options that npm took: `npm run tieout close 2026-10 --plan` lacks a `--`, so npm treats the option as its own,
 * passes on the rest, and leaves `npm_config_plan=true` in the environment.
 *
 * @throws {TieoutError} E_USAGE naming the options that npm took
 */
const refuseTakenOptions = (command: Command, variable: Environment): void => {
  const taken = command.options
    .map(({ long }) => long ?? '')
    .filter((name) => variable(`npm_config_${name.slice(2).replaceAll('-', '_')}`) === 'true');
  if (taken.length === 0 || variable('npm_lifecycle_event') !== 'tieout') return;
  throw new TieoutError({
    code: 'E_USAGE',
    message: `npm took ${taken.join(' and ')} as its own option`,
    nextStep: `Write -- before the arguments: npm run tieout -- ${command.name()} …`,
  });
};

/** Converts an error of command line parsing to the form of all errors. */
const usageErrorOf = ({ code, exitCode, message }: CommanderError, command: Command): Error => {
  if (code === 'commander.version' || code.startsWith('commander.help'))
    return new Printed(exitCode === 0 ? ExitCode.clean : ExitCode.usage);
  const [what = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const meant = /\(Did you mean (.+)\?\)/.exec(suggestion ?? '')?.[1];
  return new TieoutError({
    code: 'E_USAGE',
    message: what.replaceAll("'", '"'),
    nextStep: `${meant === undefined ? '' : `Did you mean ${meant}? `}Run \`${commandPath(command)} --help\` to see how it is used`,
  });
};

/** Returns how this program was called: through npm, which sets the script's name as a variable, or by its own name. */
const commandName = (variable: Environment): string => {
  const event = variable('npm_lifecycle_event') ?? '';
  if (event === 'npx' && variable('npm_lifecycle_script')?.includes('tieout')) return 'npx tieout';
  return event === 'start' || event === 'tieout' ? 'npm run tieout --' : 'tieout';
};

/** Matches command names in texts: in backticks, at the start of a line, or in the usage line of help. */
const COMMAND = /(?<=`|^ *|Usage:\S* )tieout(?= )/gm;

const NAMED = new RegExp(
  `\`tieout (${[...WITH_ENTITY, ...WITH_CONFIGURATION].join('|')})(?: [^\`]*)?\``,
  'g',
);

/**
 * Texts for people name commands as `tieout close 2026-10`. This adds the configuration and the entity that the running
 * command was given, so that a named command works on the same one. The objects of `--json` stay as they are.
 */
const completedFor = (running: Command): ((text: string) => string) => {
  const given = (name: string): string | undefined =>
    running.getOptionValueSource(name) === 'cli' ? String(running.getOptionValue(name)) : undefined;
  const [config, entity] = [given('config'), given('entity')];
  const chosen = config === undefined ? '' : ` --config ${quoted(resolve(config))}`;
  const both = `${chosen}${entity === undefined ? '' : ` --entity ${entity}`}`;
  return (text) =>
    text.replace(NAMED, (named, name: string) => {
      if (named.includes(' --config ') || text.startsWith('{')) return named;
      return `${named.slice(0, -1)}${WITH_CONFIGURATION.includes(name) ? chosen : both}\``;
    });
};
