import { parse } from 'csv-parse/sync';
import { xmlMeter } from '../../../kernel/xml-shape.ts';
import { ContentRefusedError } from '../content-error.ts';
import { LAYOUTS } from './layouts.ts';
import { type OfficialFile, unzipFiles } from './official-file.ts';

/** The cells of a table. */
export type Rows = readonly (readonly string[])[];

/** Read the rows of a CSV file with quoting, each with its cells trimmed. @throws {ContentRefusedError} */
export const csvRows = (file: OfficialFile): Rows => {
  try {
    return parse(file.bytes, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as string[][];
  } catch (cause) {
    throw new ContentRefusedError(file.name, 'the file is not a readable CSV', cause);
  }
};

/** A workbook is read as a whole and takes many times its size in memory; the official one has two megabytes. */
const XML_BYTES_MAX = 64_000_000;

/** Tags take much more memory than text; the official workbook has 30,000 elements, nested ten deep. */
const DEPTH_MAX = 100;

const ATTRIBUTES_MAX = 1_000;

const ELEMENTS_MAX = 1_000_000;

/**
 * Read the cells of each sheet as text, of a sheet that a layout names first. exceljs is large, so it is loaded on demand.
 *
 * @throws {ContentRefusedError} when the workbook is damaged or too large
 */
export const workbookRows = async (file: OfficialFile): Promise<readonly Rows[]> => {
  for (const member of await unzipFiles(file.bytes, file.name, XML_BYTES_MAX))
    refuseShape(file, member.bytes);
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook = new ExcelWorkbook();
  try {
    await workbook.xlsx.load(Uint8Array.from(file.bytes).buffer, { ignoreNodes: ['mergeCells'] });
    const isMain = ({ name }: { readonly name: string }) =>
      Number(LAYOUTS.some(({ sheet }) => sheet === name));
    return workbook.worksheets
      .toSorted((left, right) => isMain(right) - isMain(left))
      .map((sheet) => {
        const rows: string[][] = [];
        sheet.eachRow((row) => {
          const cells: string[] = [];
          row.eachCell({ includeEmpty: true }, (cell) => cells.push(cell.text.trim()));
          rows.push(cells);
        });
        return rows;
      });
  } catch (cause) {
    throw new ContentRefusedError(file.name, 'the workbook is damaged', cause);
  }
};

const refuseShape = ({ name }: OfficialFile, bytes: Buffer): void => {
  const { add, shape } = xmlMeter();
  add(bytes);
  if (shape.depthMax > DEPTH_MAX || shape.attributesMax > ATTRIBUTES_MAX || shape.elements > ELEMENTS_MAX)
    throw new ContentRefusedError(name, 'its XML has more tags than any official workbook');
};
