import { join } from 'node:path';
import { type Ran, type RunOptions, tieout } from '../support/tieout.ts';

export const outputOf = (folder: string): string => join(folder, 'out');

/** Close a month of the shop in a folder by the real command. */
export const closeShop = (folder: string, options: RunOptions = {}, period = '2026-10'): Promise<Ran> =>
  tieout(['close', period, '--config', join(folder, 'tieout.yaml'), '--output', outputOf(folder)], options);
