import { shownCount as shown, shownNumber } from '../kernel/text.ts';

/** The counts of the sales' own calculations, and of those that explain variances. */
export type RecomputeFigures = {
  /** Calls for a calculation. */
  readonly asked: number;
  /** Sales that were calculated now, known from earlier runs, skipped or refused: all posted sales of the period. */
  readonly calculated: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
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
