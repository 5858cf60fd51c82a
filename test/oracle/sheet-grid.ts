import { placeOf } from './address.ts';
import { cellText } from './cell-text.ts';
import type { Grid } from './grid.ts';
import type { Looks } from './looks.ts';
import { type Element, elementOf, elementsOf, textOf } from './markup.ts';
import { relativeFormula } from './relative-formula.ts';
import { type SheetParts, setUpOf } from './sheet-set-up.ts';

/** A sheet with all of its cells. Pictures and charts are left out: how they are drawn may change. */
export const sheetGrid = (
  sheet: Element,
  parts: SheetParts,
  sharedStrings: readonly string[],
  looks: Looks,
): Grid => {
  const values = new Map<string, string>();
  const formulas = new Map<string, string>();
  const cellLooks = new Map<string, string>();
  const sharedFormulas = new Map<string, string>();
  for (const cell of elementsOf(sheet, 'c')) {
    const { r: address = '', s: style = '0' } = cell.attributes;
    const value = cellText(cell, sharedStrings, looks.kindOf(Number(style)));
    if (value !== undefined && value !== '') values.set(address, value);
    const formula = formulaOf(cell, sharedFormulas);
    if (formula !== undefined) formulas.set(address, formula);
    const look = looks.ofStyle(Number(style));
    if (look !== '') cellLooks.set(address, look);
  }
  return { setUp: setUpOf(sheet, parts, looks), values, formulas, looks: cellLooks };
};

const formulaOf = (cell: Element, shared: Map<string, string>): string | undefined => {
  const element = elementOf(cell, 'f');
  if (!element) return undefined;
  const { si } = element.attributes;
  const text = textOf(element);
  if (text === '') return shared.get(si ?? '') ?? '';
  const formula = relativeFormula(text, placeOf(cell.attributes['r'] ?? ''));
  if (si !== undefined) shared.set(si, formula);
  return formula;
};
