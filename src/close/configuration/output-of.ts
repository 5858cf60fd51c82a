import { resolve } from 'node:path';
import type { LoadedConfiguration } from './load-configuration.ts';

/** The output folder for all entities: the one given, or else the configured one. */
export const outputOf = (
  { resolvePath, output }: Pick<LoadedConfiguration, 'resolvePath' | 'output'>,
  given: string | undefined,
): string => (given === undefined ? resolvePath(output) : resolve(given));
