import type { Ran } from '../support/tieout.ts';
import { figuresText } from './figures-text.ts';

/** A command, how it ended, and the figures it printed. */
export const stepText = (args: readonly string[], { code, stdout, stderr }: Ran, folder: string): string => {
  const warned = stderr === '' ? '' : `${stderr.replaceAll(folder, '.').trimEnd()}\n`;
  const figures = stdout.startsWith('{') ? figuresText(stdout) : stdout;
  return `tieout ${args.join(' ')}\nexit code ${code}\n${warned}${figures.replaceAll(folder, '.')}`;
};
