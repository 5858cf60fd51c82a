import { basename } from 'node:path';
import type { PeriodReport } from '../close/figures/period-report.ts';

/** Lists exports that may be cut off. */
export const linesAboutFiles = ({ inputs }: Pick<PeriodReport, 'inputs'>): readonly string[] =>
  inputs.flatMap(({ path, notices }) =>
    notices
      .filter(({ code }) => code === 'cut-off')
      .map(({ code, message }) => `${code}: ${basename(path)}: ${message}`),
  );
