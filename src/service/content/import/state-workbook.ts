import { xmlMeter } from '../../../kernel/xml-shape.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { OfficialFile } from './official-file.ts';
import { unzipFiles } from './unzip.ts';

/** A workbook is read as a whole and takes many times its size in memory; the official one has two megabytes. */
const XML_BYTES_MAX = 64_000_000;
/** What is made of tags takes many times more than text; the official one has 30,000 elements, ten deep. */
const DEPTH_MAX = 100;
const ATTRIBUTES_MAX = 1_000;
const ELEMENTS_MAX = 1_000_000;

/** The cells of a sheet by its name, or of the first one, as text. exceljs is large, so it is loaded only here and only now. */
export const workbookRows = async (file: OfficialFile, sheet = ''): Promise<string[][]> => {
  for (const member of await unzipFiles(file.bytes, file.name, XML_BYTES_MAX))
    refuseShape(file, member.bytes);
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook = new ExcelWorkbook();
  try {
    await workbook.xlsx.load(Uint8Array.from(file.bytes).buffer, { ignoreNodes: ['mergeCells'] });
    const rows: string[][] = [];
    (workbook.getWorksheet(sheet) ?? workbook.worksheets[0])?.eachRow((row) => {
      const cells: string[] = [];
      row.eachCell({ includeEmpty: true }, (cell) => cells.push(cell.text.trim()));
      rows.push(cells);
    });
    return rows;
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
