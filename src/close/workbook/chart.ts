/** A chart of a table. It refers to the table's cells, so it updates when they change. */
export type Chart = {
  /** Placed to the right of the sheet's first table, where there is room. */
  readonly isAtTop?: true;
  readonly title: string;
  /** Alternative text for people who cannot see the chart. */
  readonly description: string;
  /** Vertical columns below the table, or horizontal bars beside its rows. */
  readonly direction: 'columns' | 'bars';
  /** Whether the series are stacked; otherwise they start from the same base. */
  readonly isStacked: boolean;
  readonly axisTitle: string;
  /** Title of the column with the category names. */
  readonly categories: string;
  readonly series: readonly ChartSeries[];
};

/** A series: a column of the table, named by its title. */
export type ChartSeries = {
  readonly column: string;
  /** As `#1d5fa8`. A series without a colour is invisible: it only supports the series stacked on it. */
  readonly colour?: string;
  /** Colour of the data labels; without one, no labels are printed. */
  readonly labels?: string;
  /** Whether the legend omits the series because another series has the same colour. */
  readonly isUnnamed?: boolean;
};
