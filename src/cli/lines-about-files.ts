import { basename } from 'node:path';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { shownNumber } from '../kernel/shown-figures.ts';

/**
 * Lists current problems of exports: files that may be cut off, and files with fewer rows of the period than before, on
 * which the books are based.
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
