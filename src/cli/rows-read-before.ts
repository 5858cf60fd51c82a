import { basename } from 'node:path';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { shownNumber } from '../kernel/shown-figures.ts';

/** Exports that have fewer rows of the period than before: the books count those rows on, and somebody should know, as long as it is so. */
export const rowsReadBefore = ({ inputs }: Pick<PeriodReport, 'inputs'>): readonly string[] =>
  inputs.flatMap(({ path, earlier }) =>
    earlier === undefined
      ? []
      : [
          `read-before: ${basename(path)} lacks ${shownNumber(earlier, 'row')} of the period that it had before; the books count them as they were read`,
        ],
  );
