import type { Command, CommanderError } from 'commander';
import { TieoutError } from '../kernel/errors.ts';

/**
 * A command line that could not be understood, in the form of every other error. `undefined` where commander has
 * shown what was asked for: help, the version, or the help of a command that needs another one.
 */
export const usageErrorOf = (
  { code, message }: CommanderError,
  program: Command,
  argv: readonly string[],
): TieoutError | undefined => {
  if (code === 'commander.version' || code.startsWith('commander.help')) return undefined;
  const [what = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const meant = /\(Did you mean (.+)\?\)/.exec(suggestion ?? '')?.[1];
  return new TieoutError({
    code: 'E_USAGE',
    recovery: 'usage',
    message: what.replaceAll("'", '"'),
    nextStep: `${meant === undefined ? '' : `Did you mean ${meant}? `}Run \`tieout${commandOf(program, argv)} --help\` to see how it is used`,
  });
};

/** The command that the words name after the program, as far as they name one. */
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
