import type { Worksheet } from 'exceljs';
import { type AnyCell, isFormula, type Link, shownValue } from './cell.ts';
import { flagStyle, labelStyle, proseStyle, valueStyle } from './cell-style.ts';
import { checkComputable, type FormatRule, ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import { type References, resolveFormula } from './references.ts';
import type { Line } from './sheet.ts';
import { quotedSheetName } from './spreadsheet-name.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import { lineCount, rowHeight } from './text-lines.ts';

const LABEL_COLUMN = 1;
const VALUE_COLUMN = 2;
const NOTE_COLUMN = 3;

/** A cell with a link to another sheet. We write these links because exceljs turns every link into an external one. */
export type PlacedLink = { readonly address: string; readonly link: Link };

/** Draws the labelled values above a table, defines their names and returns their links. */
export const drawLines = (
  worksheet: Worksheet,
  { lines, linesRow }: PlacedTable,
  at: References,
): PlacedLink[] => {
  const links: PlacedLink[] = [];
  lines.forEach((line, index) => {
    const row = worksheet.getRow(linesRow + index);
    const label = row.getCell(LABEL_COLUMN);
    label.value = spreadsheetText(line.label);
    label.style = labelStyle;

    const cell = row.getCell(VALUE_COLUMN);
    cell.value = cellValue(line.value, at);
    cell.style = valueStyle(line.value.format, line.link !== undefined);
    if (line.link) links.push({ address: cell.address, link: line.link });
    if (line.name !== undefined) {
      worksheet.workbook.definedNames.add(`${quotedSheetName(worksheet.name)}!${cell.$col$row}`, line.name);
    }
    addFlagConditions(worksheet, cell.address, cell.address, line.value.format, line.flagWhen);
    if (line.note !== undefined) {
      const note = row.getCell(NOTE_COLUMN);
      note.value = spreadsheetText(line.note);
      note.style = proseStyle;
    }
    const text = line.value.format === 'text' ? String(shownValue(line.value.value) ?? '') : '';
    const needed = lineCount(text, (worksheet.getColumn(VALUE_COLUMN).width ?? 1) - 1);
    if (needed > 1) row.height = rowHeight(needed);
  });
  return links;
};

/** Converts a cell to the value exceljs expects: a text, a number or a formula with its result. */
export const cellValue = ({ format, value }: AnyCell, at: References) => {
  const shown = shownValue(value);
  const rule = ruleOf(format);
  const result = shown === undefined ? undefined : contentOf(rule, shown);
  if (!isFormula(value)) return result ?? null;
  checkComputable(format);
  return { formula: resolveFormula(value.formula, at), ...(result === undefined ? {} : { result }) };
};

const contentOf = (rule: FormatRule<unknown>, value: unknown): string | number => {
  const text = rule.isText ? rule.encode(value) : rule.asText?.(value);
  return text === undefined ? Number(rule.encode(value)) : spreadsheetText(text);
};

/** Adds conditional formats to a range. Their conditions are written for its first cell. */
export const addFlagConditions = (
  worksheet: Worksheet,
  range: string,
  firstCell: string,
  format: Line['value']['format'],
  conditions: Line['flagWhen'],
): void => {
  for (const flag of ['attention', 'good'] as const) {
    const condition = conditions?.[flag];
    if (!condition) continue;
    worksheet.addConditionalFormatting({
      ref: range,
      rules: [
        {
          type: 'expression',
          // With 0, exceljs assigns the next free priority of the sheet.
          priority: 0,
          formulae: [condition(firstCell)],
          style: flagStyle(format, flag),
        },
      ],
    });
  }
};
