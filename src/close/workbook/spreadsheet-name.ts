import { DefectError } from '../../kernel/errors.ts';

const SHEET_NAME_LENGTH_MAX = 31;
/** Excel's list, and the apostrophe, which exceljs does not double in the print titles. */
const SHEET_NAME_FORBIDDEN = /[[\]:*?/\\']/;
const NAME = /^[A-Za-z_][A-Za-z0-9_.]{0,254}$/;
/** Excel reads `TX1` and `R1C1` as cells, and `R` and `C` as a row and a column. */
const LOOKS_LIKE_CELL = /^(?:[A-Za-z]{1,3}\d+|[Rr]\d*(?:[Cc]\d*)?|[Cc]\d*)$/;
/** These need escaping in a structured reference, which would make formulas unreadable. */
const TITLE_FORBIDDEN = /[[\]#'@\n\r\t]|^\s|\s$|^$/;
const TITLE_LENGTH_MAX = 255;

/** @throws {DefectError} when Excel would refuse the name of the sheet. */
export const checkSheetName = (name: string): void => {
  if (name === '' || name.length > SHEET_NAME_LENGTH_MAX || SHEET_NAME_FORBIDDEN.test(name)) {
    throw new DefectError(`"${name}" cannot be the name of a sheet`);
  }
};

/** @throws {DefectError} when Excel would refuse it as the name of a table, a parameter or a total. */
export const checkDefinedName = (name: string): void => {
  if (!NAME.test(name) || LOOKS_LIKE_CELL.test(name)) {
    throw new DefectError(`"${name}" cannot be a name in a workbook`);
  }
};

/** @throws {DefectError} when a title is empty, repeated, or would be unreadable in a formula. */
export const checkTitles = (titles: readonly string[]): void => {
  const seen = new Set<string>();
  for (const title of titles) {
    if (title.length > TITLE_LENGTH_MAX || TITLE_FORBIDDEN.test(title)) {
      throw new DefectError(`"${title}" cannot be the title of a column`);
    }
    if (seen.has(title.toLowerCase())) throw new DefectError(`two columns are called ${title}`);
    seen.add(title.toLowerCase());
  }
};

/** Converts `By state` to `By_state`. */
export const tableNameOf = (sheetName: string): string => sheetName.replace(/[^A-Za-z0-9]+/g, '_');

/** `Detail`, `Detail_2`, `Detail_3`: part 1 keeps the name. */
export const partName = (name: string, part: number): string => (part === 1 ? name : `${name}_${part}`);

const CHOICES_LENGTH_MAX = 255;

/** @throws {DefectError} when the words do not fit the one short list in which Excel stores the choices of a cell. */
export const checkChoices = (words: readonly string[]): void => {
  const list = words.join(',');
  if (list.length > CHOICES_LENGTH_MAX || words.some((word) => word === '' || /[,"]/.test(word))) {
    throw new DefectError(`a cell cannot offer the words ${list}`);
  }
};

/** A sheet's name as written in a formula or a link. */
export const quotedSheetName = (name: string): string => `'${name}'`;

/** Returns Excel's name of a column, counting from 1: 1 is `A`, 27 is `AA`. */
export const columnLetter = (column: number): string => {
  const rest = Math.floor((column - 1) / 26);
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return rest === 0 ? letter : columnLetter(rest) + letter;
};
