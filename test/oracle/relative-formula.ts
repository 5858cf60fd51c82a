import { addressOf, columnNumber, type Place } from './address.ts';

/** Texts, quoted sheet names and structured references are left alone; addresses are not parts of longer names. */
const PIECE =
  /"[^"]*"|'[^']*'|\[[^\]]*\]|(?<![\w.$\]])(\$?)([A-Z]{1,3})(\$?)(\d+)(?![\w.(])|«(\$?)(-?\d+),(\$?)(-?\d+)»/g;

/**
 * A formula with its addresses as distances from its own cell, so that a formula that was filled down a column is
 * the same in every row, wherever the row stands: `C7-$B7` in D7 is `«-1,0»-«$2,0»`.
 */
export const relativeFormula = (formula: string, from: Place): string =>
  formula.replace(PIECE, (whole, columnFixed, letters, rowFixed, digits) => {
    if (letters === undefined) return whole;
    const column = columnFixed ? `$${columnNumber(letters)}` : columnNumber(letters) - from.column;
    return `«${column},${rowFixed ? `$${digits}` : Number(digits) - from.row}»`;
  });

/** The formula as the file has it in a cell. */
export const formulaAt = (relative: string, at: Place): string =>
  relative.replace(PIECE, (whole, _1, _2, _3, _4, columnFixed, column, rowFixed, row) => {
    if (column === undefined) return whole;
    const place = {
      column: columnFixed ? Number(column) : at.column + Number(column),
      row: rowFixed ? Number(row) : at.row + Number(row),
    };
    const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(addressOf(place)) ?? [];
    return `${columnFixed}${letters}${rowFixed}${digits}`;
  });
