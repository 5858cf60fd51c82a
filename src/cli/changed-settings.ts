import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { configurationParts, settingParts } from '../close/configuration/parts.ts';
import type { Closing } from '../close/periods/closing.ts';
import { changedPart, type Parts } from '../kernel/parts.ts';

/**
 * Returns the settings that changed since a period was closed, by their names in the configuration; of decision files
 * that cannot be used nothing is known.
 */
export const changedSettings = async (
  { parts }: Pick<Closing, 'parts'>,
  configuration: LoadedConfiguration,
): Promise<readonly string[]> => {
  if ((await changedPart(parts, configurationParts(configuration), ['configuration'])) === undefined)
    return [];
  const [made, now]: [Parts, Parts] = [parts, settingParts(configuration)];
  const names = new Set(Object.keys({ ...made, ...now }).filter((name) => name.startsWith('setting ')));
  return [...names]
    .filter((name) => made[name] !== now[name])
    .map((name) => name.replace('setting ', ''))
    .filter((name) => name !== 'decided' || configuration.undecided === undefined);
};
