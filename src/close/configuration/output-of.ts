import { resolve } from 'node:path';
import type { LoadedConfiguration } from './load-configuration.ts';

/** Where the periods of all entities are published: the folder that was given, or the one that is configured. */
export const outputOf = (
  { resolvePath, output }: Pick<LoadedConfiguration, 'resolvePath' | 'output'>,
  given: string | undefined,
): string => (given === undefined ? resolvePath(output) : resolve(given));
