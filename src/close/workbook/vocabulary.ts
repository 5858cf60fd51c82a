import { DefectError } from '../../kernel/errors.ts';
import type { PlacedSheet, PlacedTable } from './layout.ts';
import type { TableShape, Vocabulary } from './references.ts';
import type { Line } from './sheet.ts';
import { checkDefinedName, partName } from './spreadsheet-name.ts';

/** All tables and names of a workbook. @throws {DefectError} when two sheets, tables or names are called alike. */
export const vocabularyOf = (placed: readonly PlacedSheet[]): Vocabulary => {
  const tables = placed.filter((sheet) => sheet.kind === 'table');
  const names = placed.flatMap(namesOn);
  for (const name of names) checkDefinedName(name);
  refuseTwins(placed.map(({ sheetName }) => sheetName));
  refuseTwins([...tables.map(({ table }) => table), ...names]);

  const shapes = new Map<string, TableShape>();
  for (const { source } of tables) {
    if (shapes.has(source.table)) continue;
    shapes.set(source.table, {
      columns: new Map(source.sheet.columns.map(({ title, format }) => [title, format])),
      parts: tables.filter((each) => each.source === source).map(({ table }) => table),
    });
  }
  return { tables: shapes, names: new Set(names) };
};

const namesOn = (sheet: PlacedSheet): string[] => {
  if (sheet.kind === 'table') return [...lineNames(sheet.lines), ...totalNames(sheet)];
  return sheet.source.blocks.flatMap((block) => ('lines' in block ? lineNames(block.lines) : []));
};

const lineNames = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ name }) => (name === undefined ? [] : [name]));

/** The first part keeps the name; the others' totals are numbered as their sheets are. */
const totalNames = ({ source, part }: PlacedTable): string[] =>
  source.sheet.columns.flatMap(({ totalName }) =>
    totalName === undefined ? [] : [partName(totalName, part)],
  );

const refuseTwins = (names: readonly string[]): void => {
  const seen = new Set<string>();
  for (const name of names) {
    // Excel does not tell names apart by case.
    if (seen.has(name.toLowerCase())) throw new DefectError(`two parts of the workbook are called ${name}`);
    seen.add(name.toLowerCase());
  }
};
