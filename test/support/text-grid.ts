import { storedCells } from './stored-cells.ts';

/**
 * A workbook as text, to be kept beside a test and reviewed in its diff: a heading for every sheet, a line for every
 * row, and for every cell what the file stores, `formula => result` where it is computed.
 */
export const textGrid = async (path: string): Promise<string> => {
  const lines: string[] = [];
  let sheet = '';
  let row = '';
  for (const { place, formula, value } of await storedCells(path)) {
    const [, cellSheet = '', letter = '', number = ''] = /^(.*)!([A-Z]+)(\d+)$/.exec(place) ?? [];
    if (cellSheet !== sheet) lines.push(`${lines.length > 0 ? '\n' : ''}## ${cellSheet}`);
    if (cellSheet !== sheet || number !== row) lines.push(`${number.padStart(3)}`);
    sheet = cellSheet;
    row = number;
    if (value === undefined && formula === undefined) continue;
    const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
    lines.push(`${lines.pop()}  ${letter}: ${formula === undefined ? shown : `${formula} => ${shown}`}`);
  }
  return `${lines.filter((line) => !/^ *\d+$/.test(line)).join('\n')}\n`;
};
