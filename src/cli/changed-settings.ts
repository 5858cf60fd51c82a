import { configurationParts, settingParts } from '../close/configuration/parts.ts';
import type { Configuration } from '../close/configuration/schema.ts';
import type { Closing } from '../close/periods/closing.ts';
import { changedPart, type Parts } from '../kernel/parts.ts';

/** Returns the settings that changed since a period was closed, by their names in the configuration. */
export const changedSettings = async (
  { parts }: Pick<Closing, 'parts'>,
  configuration: Configuration,
): Promise<readonly string[]> => {
  if ((await changedPart(parts, configurationParts(configuration), ['configuration'])) === undefined)
    return [];
  const [made, now]: [Parts, Parts] = [parts, settingParts(configuration)];
  const names = new Set(Object.keys({ ...made, ...now }).filter((name) => name.startsWith('setting ')));
  return [...names].filter((name) => made[name] !== now[name]).map((name) => name.replace('setting ', ''));
};
