/** A chart of a table. It refers to the cells of the table, so that it follows when they are changed. */
export type Chart = {
  /** At the right of the first table of its sheet, where that leaves room. */
  readonly isAtTop?: true;
  readonly title: string;
  /** What it shows, in words for those who do not see it. */
  readonly description: string;
  /** Upright columns below the table, or bars from left to right beside its rows. */
  readonly direction: 'columns' | 'bars';
  /** Series stand on top of one another instead of at the same place. */
  readonly isStacked: boolean;
  readonly axisTitle: string;
  /** Title of the column that names the columns or bars. */
  readonly categories: string;
  readonly series: readonly ChartSeries[];
};

/** A column of the table, drawn under its own title. */
export type ChartSeries = {
  readonly column: string;
  /** As `#1d5fa8`. A series without a colour is not seen: it holds up the ones above it. */
  readonly colour?: string;
  /** Colour of the figures in its columns or bars; none are printed without one. */
  readonly labels?: string;
  /** Whether the key of colours leaves it out, because another series has the same colour. */
  readonly isUnnamed?: boolean;
};
