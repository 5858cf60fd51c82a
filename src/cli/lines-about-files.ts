import { basename } from 'node:path';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { shownNumber } from '../kernel/shown-figures.ts';

/**
 * What somebody should know of exports as long as it is so: files that may be cut off, and files that have fewer rows of the
 * period than before, which the books count on.
 */
export const linesAboutFiles = ({ inputs }: Pick<PeriodReport, 'inputs'>): readonly string[] =>
  inputs.flatMap(({ path, notices, earlier }) => [
    ...notices
      .filter(({ code }) => code === 'cut-off')
      .map(({ code, message }) => `${code}: ${basename(path)}: ${message}`),
    ...(earlier === undefined
      ? []
      : [
          `read-before: ${basename(path)} lacks ${shownNumber(earlier, 'row')} of the period that it had before; the books count them as they were read`,
        ]),
  ]);
