import { shownCount as shown, shownNumber } from '../../../kernel/shown-figures.ts';
import type { CalculatedFigures } from './recompute-pages.ts';

export type RecomputeFigures = CalculatedFigures & {
  /** Calls that explain variances, which `asked` includes, and the most that are allowed. */
  readonly questions: number;
  readonly questionsMax: number;
  /** Variances for which not every question was asked, because the cap or the budget was reached. */
  readonly cutShort: number;
};

export const recomputeText = (figures: RecomputeFigures): string =>
  [
    `${shownNumber(figures.calculated, 'sale')} calculated (${shownNumber(figures.asked, 'calculation')}${
      figures.questions > 0
        ? `, ${shown(figures.questions)} of at most ${shown(figures.questionsMax)} to explain variances`
        : ''
    })`,
    ...(figures.cutShort > 0
      ? [`${shown(figures.cutShort)} variances not explained to the end: the limit was reached`]
      : []),
    `${shown(figures.known)} known`,
    ...(figures.skipped > 0 ? [`${shown(figures.skipped)} skipped (no tax due)`] : []),
    ...(figures.refused > 0 ? [`${shown(figures.refused)} refused`] : []),
  ].join(', ');
