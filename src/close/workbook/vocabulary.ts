import { type PlacedSheet, type PlacedTable, tablesOn } from './layout.ts';
import { gridShapes } from './place-laid-out.ts';
import type { TableShape, Vocabulary } from './references.ts';
import { columnLetter, quotedSheetName } from './spreadsheet-name.ts';

/** Collects the tables of a workbook, for formulas. */
export const vocabularyOf = (placed: readonly PlacedSheet[]): Vocabulary =>
  new Map([
    ...placed.flatMap((sheet) => (sheet.kind === 'laid-out' ? gridShapes(sheet) : [])),
    ...placed.flatMap(tablesOn).map((table) => [table.source.table, shapeOf(table)] as const),
  ]);

const shapeOf = ({ source, sheetName, firstRow }: PlacedTable): TableShape => {
  const { table, count } = source;
  const { columns, countedBy } = source.sheet;
  return {
    columns: new Map(columns.map(({ title, format }) => [title, format])),
    countedBy,
    rangeOf: (title) => `${table}[${title}]`,
    addressOf: (title, row) => {
      const letter = columnLetter(columns.findIndex((each) => each.title === title) + 1);
      return row < count ? `${quotedSheetName(sheetName)}!$${letter}$${firstRow + row}` : undefined;
    },
  };
};
