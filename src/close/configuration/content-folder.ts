import type { LoadedConfiguration } from './load-configuration.ts';

/** The folder of the tax content: the command's, else the configuration's; `undefined` for Tieout's own. */
export const contentFolder = (
  { content, resolvePath }: LoadedConfiguration,
  named: string | undefined,
): string | undefined => named ?? (content === undefined ? undefined : resolvePath(content));
