import { DefectError } from '../../kernel/errors.ts';
import { blankCell, formulaXml, numberCell, textCell } from './cell-xml.ts';
import { columnLetter } from './column-letter.ts';
import { ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import type { Column } from './sheet.ts';
import type { SheetFrame } from './sheet-frame.ts';

/** Excel's numbers for "of the rows that the filter shows": 109 sums, 103 counts what is not blank. */
const SUBTOTALS = { sum: 109, count: 103 } as const;

/** Running totals of the rows that pass by, in the columns' own integers: no fraction is ever added. */
export type Totals = {
  /** @param value Not blank, and already known to be of the column's format. */
  add(column: number, value: unknown): void;
  /** The totals row, its figures live and cached. */
  rowXml(placed: PlacedTable, frame: SheetFrame): string;
};

export const runningTotals = (columns: readonly Column<unknown>[]): Totals => {
  const kinds = columns.map(({ total }) => total);
  const sums = columns.map(() => 0);
  return {
    add: (column, value) => {
      const kind = kinds[column];
      if (kind === undefined) return;
      const sum = (sums[column] ?? 0) + (kind === 'count' ? 1 : Number(value));
      if (!Number.isSafeInteger(sum)) throw new DefectError(`the total ${sum} is not exact`);
      sums[column] = sum;
    },
    rowXml: (placed, frame) => {
      const row = placed.totalRow;
      if (row === undefined) return '';
      const cells = columns.map((column, index) => {
        const address = `${columnLetter(index + 1)}${row}`;
        const style = frame.totalStyleOf(index);
        if (index === 0) return textCell(address, style, totalLabel(placed));
        if (column.total === undefined) return blankCell(address, style);
        const format = column.total === 'count' || column.format === 'mixed' ? 'count' : column.format;
        const formula = formulaXml(totalFormula(placed.table, column.title, column.total));
        return numberCell(address, style, ruleOf(format).encode(sums[index]), formula);
      });
      return `<row r="${row}">${cells.join('')}</row>`;
    },
  };
};

export const totalLabel = ({ part, parts }: PlacedTable): string =>
  parts === 1 ? 'Total' : `Total, part ${part} of ${parts}`;

const totalFormula = (table: string, title: string, total: keyof typeof SUBTOTALS): string =>
  `SUBTOTAL(${SUBTOTALS[total]},${table}[${title}])`;
