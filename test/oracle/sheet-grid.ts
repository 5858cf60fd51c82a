import { addressOf, placeOf } from './address.ts';
import { cellText } from './cell-text.ts';
import type { Grid } from './grid.ts';
import { type Element, elementOf, elementsOf, textOf } from './markup.ts';
import type { NumberKind } from './number-kinds.ts';
import { relativeFormula } from './relative-formula.ts';
import { type SheetParts, setUpOf } from './sheet-set-up.ts';

/** A sheet with all of its cells. Pictures and charts are left out: how they are drawn may change. */
export const sheetGrid = (
  sheet: Element,
  parts: SheetParts,
  sharedStrings: readonly string[],
  kinds: readonly NumberKind[],
): Grid => {
  const values = new Map<string, string>();
  const formulas = new Map<string, string>();
  const sharedFormulas = new Map<string, string>();
  let address = 'A1';
  for (const cell of elementsOf(sheet, 'c')) {
    const { r: stated = beside(address), s: style = '0' } = cell.attributes;
    address = stated;
    const value = cellText(cell, sharedStrings, kinds[Number(style)] ?? 'other');
    if (value !== undefined && value !== '') values.set(address, value);
    const formula = formulaOf(cell, address, sharedFormulas);
    if (formula !== undefined) formulas.set(address, formula);
  }
  return { setUp: setUpOf(sheet, parts), values, formulas };
};

/** The place of a cell that states none: beside the one before it. */
const beside = (address: string): string => {
  const { row, column } = placeOf(address);
  return addressOf({ row, column: column + 1 });
};

const formulaOf = (cell: Element, address: string, shared: Map<string, string>): string | undefined => {
  const element = elementOf(cell, 'f');
  if (!element) return undefined;
  const { si } = element.attributes;
  const text = textOf(element);
  if (text === '') return shared.get(si ?? '') ?? '';
  const formula = relativeFormula(text, placeOf(address));
  if (si !== undefined) shared.set(si, formula);
  return formula;
};
