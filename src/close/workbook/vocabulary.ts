import { DefectError } from '../../kernel/errors.ts';
import { type PlacedSheet, type PlacedTable, tablesOn } from './layout.ts';
import { gridShapes } from './place-laid-out.ts';
import type { TableShape, Vocabulary } from './references.ts';
import type { Line } from './sheet.ts';
import { checkDefinedName, columnLetter, partName, quotedSheetName } from './spreadsheet-name.ts';

/** Collects all tables and names of a workbook. @throws {DefectError} when two sheets, tables or names are the same. */
export const vocabularyOf = (placed: readonly PlacedSheet[]): Vocabulary => {
  const tables = placed.flatMap(tablesOn);
  const names = placed.flatMap(namesOn);
  for (const name of names) checkDefinedName(name);
  refuseTwins(placed.map(({ sheetName }) => sheetName));
  const grids = placed.flatMap((sheet) => (sheet.kind === 'laid-out' ? gridShapes(sheet) : []));
  refuseTwins([...tables.map(({ table }) => table), ...grids.map(([name]) => name), ...names]);

  const shapes = new Map<string, TableShape>(grids);
  for (const { source } of tables) {
    if (shapes.has(source.table)) continue;
    shapes.set(source.table, {
      columns: new Map(source.sheet.columns.map(({ title, format }) => [title, format])),
      countedBy: source.sheet.countedBy,
      parts: tables.filter((each) => each.source === source).map(({ table }) => table),
      addressOf: addressIn(tables.filter((each) => each.source === source)),
    });
  }
  return { tables: shapes, names: new Set(names) };
};

/** Finds the address of a table's cell across all parts of the table. */
const addressIn =
  (parts: readonly PlacedTable[]) =>
  (title: string, row: number): string | undefined => {
    const part = parts.find(({ offset, count }) => offset <= row && row < offset + count);
    const column = part?.source.sheet.columns.findIndex((each) => each.title === title) ?? -1;
    if (!part || column < 0) return undefined;
    const letter = columnLetter(column + 1);
    return `${quotedSheetName(part.sheetName)}!$${letter}$${part.firstRow + row - part.offset}`;
  };

const namesOn = (sheet: PlacedSheet): string[] => {
  if (sheet.kind === 'table') {
    return tablesOn(sheet).flatMap((table) => [...lineNames(table.lines), ...totalNames(table)]);
  }
  if (sheet.kind === 'laid-out') return [];
  return sheet.source.blocks.flatMap((block) => ('lines' in block ? lineNames(block.lines) : []));
};

const lineNames = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ name }) => (name === undefined ? [] : [name]));

/** The names of a table's totals. The first part keeps the name; other parts append their number. */
const totalNames = ({ source, part }: PlacedTable): string[] =>
  source.sheet.columns.flatMap(({ totalName }) =>
    totalName === undefined ? [] : [partName(totalName, part)],
  );

const refuseTwins = (names: readonly string[]): void => {
  const seen = new Set<string>();
  for (const name of names) {
    // Excel's names are case-insensitive.
    if (seen.has(name.toLowerCase())) throw new DefectError(`two parts of the workbook are called ${name}`);
    seen.add(name.toLowerCase());
  }
};
