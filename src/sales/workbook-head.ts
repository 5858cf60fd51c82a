import type { Readable } from 'node:stream';
import { fromBufferPromise } from 'yauzl';
import { SHEETS_MAX } from './file-source.ts';
import { wholeFile } from './read-workbook.ts';
import type { SurveyedFile } from './survey-file.ts';
import { HEAD_LINES_MAX, type TableHead } from './table-heads.ts';
import { isBlankRow, type TableRow } from './table-row.ts';

/** How many unpacked bytes of each part of a workbook are looked at. */
const HEAD_BYTES = 256 * 1024;

/**
 * The first rows of each sheet of a workbook, without loading it. Cells have what is stored: a date is a number, and the
 * text of a cell far below is blank where its place among all texts was not reached.
 */
export const workbookHeads = async (file: SurveyedFile): Promise<readonly TableHead[]> => {
  const archive = await fromBufferPromise(await wholeFile(file), { autoClose: false });
  const sheets = new Map<string, string>();
  let texts: readonly string[] = [];
  for await (const entry of archive.eachEntry()) {
    const [, sheet] = /^xl\/(?:sharedStrings|worksheets\/(.+))\.xml$/.exec(entry.fileName) ?? ['', ''];
    if (sheet === '' || sheets.size === SHEETS_MAX) continue;
    const xml = await startOf(await archive.openReadStreamPromise(entry));
    if (sheet === undefined) texts = xml.split(/<\/(?:\w+:)?si>/).map(textIn);
    else sheets.set(sheet, xml);
  }
  return [...sheets].map(([sheet, xml]): TableHead => {
    const rows = rowsIn(xml, texts);
    return {
      sheet,
      rows: rows.filter(({ line }) => line <= HEAD_LINES_MAX),
      async *from() {
        yield rows;
      },
    };
  });
};

const startOf = async (stream: Readable): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    pieces.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8');
};

/** The text of a cell, or of an entry of the texts that cells share. */
const textIn = (xml: string): string =>
  [...xml.matchAll(/<(?:\w+:)?[vt](?: [^<>]*)?>([^<]*)/g)].map(([, text = '']) => text).join('');

/** The rows that end within the looked-at part of a sheet. */
const rowsIn = (xml: string, texts: readonly string[]): readonly TableRow[] =>
  xml
    .split(/<\/(?:\w+:)?row>/)
    .slice(0, -1)
    .map((row, index) => ({ line: index + 1, cells: cellsIn(row, texts) }))
    .filter(({ cells }) => !isBlankRow(cells));

const cellsIn = (row: string, texts: readonly string[]): readonly string[] => {
  const cells: string[] = [];
  for (const cell of row.split(/<(?:\w+:)?c(?=[ />])/).slice(1)) {
    const attributes = cell.slice(0, cell.indexOf('>'));
    const [, letters = ''] = /\br=["']([A-Z]{1,3})\d/.exec(attributes) ?? [];
    while (cells.length < numberOf(letters) - 1) cells.push('');
    const text = textIn(cell);
    // A number that was calculated has more places than any amount.
    const isCalculated = /^-?\d+\.\d{5,}$/.test(text);
    if (/\bt=["']s["']/.test(attributes)) cells.push(texts[Number(text)] ?? '');
    else cells.push(isCalculated ? Number(text).toFixed(4) : text);
  }
  return cells;
};

/** The number of a column, counted from 1; 0 without letters. */
const numberOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
