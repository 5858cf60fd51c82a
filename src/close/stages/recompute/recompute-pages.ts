/** The counts of the sales' own calculations. */
export type CalculatedFigures = {
  /** Calls for a calculation. */
  readonly asked: number;
  /**
   * Sales that were calculated now, known from earlier runs, skipped or refused: together all posted sales of the
   * period.
   */
  readonly calculated: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
};
