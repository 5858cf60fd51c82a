import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ExitCode, exitCodeOf, TieoutError } from '../kernel/errors.ts';
import { quoted } from '../kernel/text.ts';
import { COMMANDS, type CommandEntry, WITH_CONFIGURATION, WITH_ENTITY } from './command-table.ts';
import type { CommandIo } from './io.ts';
import { errorObject, errorText } from './print.ts';

/**
 * Makes every command, including subcommands, print through `io` and never end the process itself. We print its errors.
 */
const prepare = (command: Command, io: CommandIo): void => {
  command
    .exitOverride()
    .configureOutput({ writeOut: io.print, writeErr: io.warn, outputError: () => {} })
    .helpOption('-h, --help', 'show help')
    .configureHelp({ styleTitle: (title) => io.paint('heading', title) });
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
  const named = namedAsCalled(surroundings.variable);
  let completed = (text: string): string => text;
  const io: CommandIo = {
    ...surroundings,
    print: (text) => surroundings.print(named(completed(text))),
    warn: (text) => surroundings.warn(named(completed(text))),
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
  for (const entry of COMMANDS) {
    if (isCompleting && entry.name === 'completion') continue;
    const build = isCompleting || entry.name === wanted ? await entry.load() : undefined;
    const command = build
      ? build(io, (result) => {
          code = result;
        })
      : new Command(entry.name);
    if (build) addExamples(command, entry, `tieout ${entry.name}`);
    program.addCommand(command.description(entry.summary).helpGroup(`${entry.group}:`));
  }
  if (isCompleting) (await import('./completion.ts')).addCompletion(program);
  prepare(program, io);
  let running: Command | undefined;
  program.hook('preAction', (_, command) => {
    running = command;
    completed = completedFor(command);
  });
  try {
    for (const command of program.commands)
      if (command.name() === wanted) refuseTakenOptions(command, io.variable);
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (given) {
    const error = given instanceof CommanderError ? usageErrorOf(given, program, argv) : given;
    if (error === undefined)
      return given instanceof CommanderError && given.exitCode === 0 ? ExitCode.clean : ExitCode.usage;
    if (argv.includes('--json')) io.print(`${JSON.stringify(errorObject(error, completed), null, 2)}\n`);
    io.warn(errorText(error, (code) => io.paint('bad', code, 'stderr')));
    if (running && !io.isTerminal) surroundings.warn(named(runText(running)));
    return exitCodeOf(error);
  }
};

type RunOptions = { readonly config?: string; readonly entity?: string; readonly ledger?: string };

/** Names the command and its configuration for the reader of a mail; empty for commands without a configuration. */
const runText = (command: Command): string => {
  const { config, entity, ledger } = command.opts<RunOptions>();
  if (config === undefined) return '';
  const path = commandPath(command);
  const words = [path, ...command.args, ...(entity === undefined ? [] : [`--entity ${entity}`])];
  // The address of a service database may have a password.
  return `This was \`${words.join(' ')}\` with ${ledger === undefined ? resolve(config) : '--ledger'}.\n`;
};

const commandPath = (command: Command): string =>
  command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();

/** Adds to a command's help its own examples and a page to read more. */
const addExamples = (command: Command, { examples, page }: CommandEntry, path: string): void => {
  const own = examples.filter((line) => line === path || line.startsWith(`${path} `));
  const shown = own.map((line) => `\n  ${line}`).join('');
  command.addHelpText('after', `\nExample${own.length > 1 ? 's' : ''}:${shown}\n\nRead more: ${page}`);
  for (const child of command.commands)
    addExamples(child, { examples, page } as CommandEntry, `${path} ${child.name()}`);
};

type Environment = (name: string) => string | undefined;

/**
 * Refuses options that npm took: `npm run tieout close 2026-10 --json` lacks a `--`, so npm treats the option as its
 * own, passes on the rest, and leaves `npm_config_json=true` in the environment.
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
    message: `npm took ${taken.join(' and ')} as its own option`,
    nextStep: `Write -- before the arguments: npm run tieout -- ${command.name()} …`,
  });
};

const optionsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long, short }) => [long, short].filter((name) => name !== undefined)),
  ...command.commands.flatMap(optionsOf),
];

/**
 * Converts an error of command line parsing to the form of all errors. `undefined` if commander printed what was
 * requested: help, the version, or the help of a command that needs a subcommand.
 */
const usageErrorOf = (
  { code, message }: CommanderError,
  program: Command,
  argv: readonly string[],
): TieoutError | undefined => {
  if (code === 'commander.version' || code.startsWith('commander.help')) return undefined;
  const [what = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const meant = /\(Did you mean (.+)\?\)/.exec(suggestion ?? '')?.[1];
  return new TieoutError({
    code: 'E_USAGE',
    message: what.replaceAll("'", '"'),
    nextStep: `${meant === undefined ? '' : `Did you mean ${meant}? `}Run \`tieout${commandOf(program, argv)} --help\` to see how it is used`,
  });
};

/** Returns the command path that the words name after the program. */
const commandOf = (program: Command, argv: readonly string[]): string => {
  const path = [''];
  let command = program;
  for (const word of argv) {
    const child = command.commands.find((one) => one.name() === word);
    if (!child) continue;
    path.push(word);
    command = child;
  }
  return path.join(' ');
};

const OF_SCRIPTS: Readonly<Record<string, string>> = {
  start: 'npm run tieout --',
  tieout: 'npm run tieout --',
};

/** Returns how this program was called: through npm, which sets the script's name as a variable, or by its own name. */
const commandName = (variable: Environment): string => {
  const event = variable('npm_lifecycle_event') ?? '';
  if (event === 'npx' && variable('npm_lifecycle_script')?.includes('tieout')) return 'npx tieout';
  return OF_SCRIPTS[event] ?? 'tieout';
};

/** Matches command names in texts: in backticks, at the start of a line, or in the usage line of help. */
const COMMAND = /(?<=`|^ *|Usage:\S* )tieout(?= )/gm;

/** Texts name commands as `tieout close`. This replaces `tieout` with the form in which the program was called. */
const namedAsCalled = (variable: Environment): ((text: string) => string) => {
  const name = commandName(variable);
  return name === 'tieout' ? (text) => text : (text) => text.replace(COMMAND, name);
};

const NAMED = new RegExp(
  `\`tieout (${[...WITH_ENTITY, ...WITH_CONFIGURATION].join('|')})(?: [^\`]*)?\``,
  'g',
);

/**
 * Texts for people name commands as `tieout close 2026-10`. This adds the configuration and the entity that the running
 * command was given, so that a named command works on the same one. The objects of `--json` stay as they are.
 */
export const completedFor = (running: Command): ((text: string) => string) => {
  const given = (name: string): string | undefined =>
    running.getOptionValueSource(name) === 'cli' ? String(running.getOptionValue(name)) : undefined;
  const [config, entity] = [given('config'), given('entity')];
  const chosen = config === undefined ? '' : ` --config ${quoted(resolve(config))}`;
  const both = `${chosen}${entity === undefined ? '' : ` --entity ${entity}`}`;
  if (both === '') return (text) => text;
  return (text) =>
    text.replace(NAMED, (named, name: string) => {
      if (named.includes(' --config ') || text.startsWith('{')) return named;
      return `${named.slice(0, -1)}${WITH_CONFIGURATION.includes(name) ? chosen : both}\``;
    });
};
