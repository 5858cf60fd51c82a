import { Command } from 'commander';
import { TieoutError } from '../kernel/errors.ts';

/** Commands that scripts may already write down, and that say plainly that they do not exist yet. */
const PLANNED: readonly (readonly [name: string, purpose: string])[] = [
  ['doctor', 'check configuration, content, database and service'],
];

export const plannedCommands = (): readonly Command[] =>
  PLANNED.map(([name, purpose]) =>
    new Command(name)
      .description(`${purpose} (not in this version)`)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw new TieoutError({
          code: 'E_NOT_IN_THIS_VERSION',
          recovery: 'usage',
          message: `\`tieout ${name}\` (${purpose}) is not part of this version`,
          nextStep: 'Use `tieout close`; CHANGELOG.md says what each version can do.',
        });
      }),
  );
