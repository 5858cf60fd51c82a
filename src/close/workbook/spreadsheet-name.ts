import { DefectError } from '../../kernel/errors.ts';

/** Converts `By state` to `By_state`. */
export const tableNameOf = (sheetName: string): string => sheetName.replace(/[^A-Za-z0-9]+/g, '_');

/** A sheet's name as written in a formula or a link. */
export const quotedSheetName = (name: string): string => `'${name}'`;

/**
 * Returns Excel's name of a column, counting from 1: 1 is `A`, 27 is `AA`.
 *
 * @throws {DefectError} for 0, which is what the search for a column that is not there gives.
 */
export const columnLetter = (column: number): string => {
  if (column < 1) throw new DefectError('a formula refers to a column that is not in its table');
  const rest = Math.floor((column - 1) / 26);
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return rest === 0 ? letter : columnLetter(rest) + letter;
};
