import { join } from 'node:path';
import { type Ran, type RunOptions, tieout } from '../support/tieout.ts';

export const outputOf = (folder: string): string => join(folder, 'out');

/** Close October 2026 of the shop in a folder by the real command. */
export const closeShop = (folder: string, options: RunOptions = {}): Promise<Ran> =>
  tieout(
    ['close', '2026-10', '--config', join(folder, 'tieout.yaml'), '--output', outputOf(folder)],
    options,
  );
