import type { Format, FormatValues } from './format.ts';
import type { FormulaText } from './references.ts';

/** A live formula together with the result it must recalculate to. */
export type Formula<Value> = { readonly formula: FormulaText; readonly result: Value | undefined };

/** A value, a formula with its cached result, or a blank. */
export type Cell<F extends Format> = FormatValues[F] | Formula<FormatValues[F]> | undefined;

/** A cell that names its own format, for places where one column holds several. */
export type TypedCell<F extends Format> = { readonly format: F; readonly value: Cell<F> };
export type AnyCell = { readonly [F in Format]: TypedCell<F> }[Format];

/** The target of a link: a sheet, or the row at this position (counting from 0) of the sheet's table. */
export type Link = { readonly sheet: string; readonly row?: number };

/** `attention` asks for a person, `good` confirms. Both show as a colour *and* as a sign before the value. */
export type Flag = 'attention' | 'good';

/** For each flag, the condition under which a cell shows it, built from the cell's address: `(at) => \`${at}<>0\``. */
export type FlagConditions = { readonly [F in Flag]?: (address: string) => string };

export const formula = <Value>(text: FormulaText, result: Value): Formula<Value> => ({
  formula: text,
  result,
});

export const cellOf = <F extends Format>(format: F, value: Cell<F>): TypedCell<F> => ({ format, value });

export const isFormula = (cell: unknown): cell is Formula<unknown> =>
  typeof cell === 'object' && cell !== null && 'formula' in cell;

/** Returns the value that a cell shows: its own, or the cached result of its formula. Empty text counts as blank. */
export const shownValue = (cell: unknown): unknown => {
  const value = isFormula(cell) ? cell.result : cell;
  return value === '' || value === null ? undefined : value;
};
