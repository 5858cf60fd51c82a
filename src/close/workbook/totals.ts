import { DefectError } from '../../kernel/errors.ts';
import { BLANK_END, formulaXml, numberEnd, rowXml, textEnd } from './cell-xml.ts';
import { ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import type { Column } from './sheet.ts';
import type { TableStyles } from './table-styles.ts';

/** Excel's function numbers for visible rows: 109 sums, 103 counts cells that are not blank. */
const SUBTOTALS = { sum: 109, count: 103 } as const;

/** Sums by column, in the integers of each column's unit: fractions are never added. */
export type Sums = {
  readonly all: readonly number[];
  /** @param value Not blank, and already checked to be of the column's format. */
  add(column: number, value: unknown): void;
};

export const columnSums = (columns: readonly Column<unknown>[]): Sums => {
  const kinds = columns.map(({ total }) => total);
  const sums = columns.map(() => 0);
  return {
    all: sums,
    add: (column, value) => {
      const kind = kinds[column];
      if (kind === undefined) return;
      const sum = (sums[column] ?? 0) + (kind === 'count' ? 1 : Number(value));
      if (!Number.isSafeInteger(sum)) throw new DefectError(`the total ${sum} is not exact`);
      sums[column] = sum;
    },
  };
};

/** Builds the totals row, with live formulas and cached results. */
export const totalRowXml = (placed: PlacedTable, styles: TableStyles, sums: Sums): string => {
  const row = placed.totalRow;
  if (row === undefined) return '';
  const ends = placed.source.sheet.columns.map((column, index) => {
    if (index === 0) return textEnd(TOTAL_LABEL);
    if (column.total === undefined) return BLANK_END;
    const format = column.total === 'count' || column.format === 'mixed' ? 'count' : column.format;
    const formula = formulaXml(totalFormula(placed.source.table, column.title, column.total));
    return numberEnd(ruleOf(format).encode(sums.all[index]), formula);
  });
  return rowXml(row, styles.ofTotal, ends);
};

export const TOTAL_LABEL = 'Total';

const totalFormula = (table: string, title: string, total: keyof typeof SUBTOTALS): string =>
  `SUBTOTAL(${SUBTOTALS[total]},${table}[${title}])`;
