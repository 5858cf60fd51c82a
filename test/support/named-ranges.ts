import type ExcelJS from 'exceljs';

/** A plain table of a laid-out sheet: a defined name over its header and rows. */
export type NamedRange = { readonly name: string; readonly sheet: string; readonly range: string };

const RANGE = /^'?([^'!]+)'?!(\$?[A-Z]+\$?\d+:\$?[A-Z]+\$?\d+)$/;

/** The plain tables of a workbook by their names. */
export const namedRanges = (workbook: ExcelJS.Workbook): readonly NamedRange[] =>
  workbook.definedNames.model.flatMap(({ name, ranges }) => {
    const [, sheet, range] = RANGE.exec(ranges[0] ?? '') ?? [];
    return sheet === undefined || range === undefined ? [] : [{ name, sheet, range }];
  });
