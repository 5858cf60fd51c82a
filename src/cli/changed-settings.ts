import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { configurationParts, settingParts } from '../close/configuration/parts.ts';
import type { ManifestContent } from '../close/evidence/manifest.ts';
import type { Run } from '../periods/runs.ts';

/**
 * Returns the settings that changed since a period was closed, by their names in the configuration; of decision files
 * that cannot be used nothing is known. Where the run that closed it is not noted, the names are not known.
 */
export const changedSettings = (
  made: Pick<ManifestContent, 'configuration'>,
  lastClose: Pick<Run, 'settings'> | undefined,
  configuration: LoadedConfiguration,
): readonly string[] => {
  if (made.configuration === configurationParts(configuration).configuration) return [];
  const isUnread = configuration.undecided !== undefined;
  const [then, now] = [lastClose?.settings, settingParts(configuration)];
  if (!then) return isUnread ? [] : ['tieout.yaml or its decisions'];
  return Object.keys({ ...then, ...now })
    .filter((name) => then[name] !== now[name])
    .map((name) => name.replace('setting ', ''))
    .filter((name) => !isUnread || name !== 'decided');
};
