import type { Command } from 'commander';
import { TieoutError } from '../kernel/errors.ts';

type Environment = (name: string) => string | undefined;

/**
 * `npm run tieout close 2026-10 --json` lacks a `--`: npm takes the option for its own, passes on the rest, and leaves
 * `npm_config_json=true` in the environment.
 *
 * @throws {TieoutError} E_USAGE naming the options that npm took
 */
export const refuseTakenOptions = (command: Command, variable: Environment): void => {
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
