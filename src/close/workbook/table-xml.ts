import type { PlacedTable } from './layout.ts';
import type { References } from './references.ts';
import { columnLetter } from './spreadsheet-name.ts';
import { xmlText } from './spreadsheet-text.ts';
import { totalLabel } from './totals.ts';

const TOTAL_FUNCTIONS = { sum: 'sum', count: 'count' } as const;

/**
 * The table's own part of the package, in place of the one exceljs wrote, which knows neither the true number of
 * rows nor the formulas that fill whole columns.
 */
export const tableXml = (placed: PlacedTable, id: number, at: References): string => {
  const { columns } = placed.source.sheet;
  const lastColumn = columnLetter(columns.length);
  const corner = `A${placed.headerRow}`;
  const fields = columns.map((column, index) => {
    const total =
      placed.totalRow === undefined
        ? ''
        : index === 0
          ? ` totalsRowLabel="${xmlText(totalLabel(placed))}"`
          : column.total === undefined
            ? ''
            : ` totalsRowFunction="${TOTAL_FUNCTIONS[column.total]}"`;
    const open = `<tableColumn id="${index + 1}" name="${xmlText(column.title)}"${total}`;
    if (!column.formula) return `${open}/>`;
    const formula = xmlText(column.formula(at));
    return `${open}><calculatedColumnFormula>${formula}</calculatedColumnFormula></tableColumn>`;
  });
  const totals = placed.totalRow === undefined ? 'totalsRowShown="0"' : 'totalsRowCount="1"';
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"',
    ` id="${id}" name="${placed.table}" displayName="${placed.table}"`,
    ` ref="${corner}:${lastColumn}${placed.totalRow ?? placed.lastRow}" headerRowCount="1" ${totals}>`,
    `<autoFilter ref="${corner}:${lastColumn}${placed.lastRow}"/>`,
    `<tableColumns count="${columns.length}">${fields.join('')}</tableColumns>`,
    '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0"',
    ' showRowStripes="1" showColumnStripes="0"/></table>',
  ].join('');
};
