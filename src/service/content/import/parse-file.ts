import { parse } from 'csv-parse/sync';
import { xmlMeter } from '../../../kernel/xml-shape.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import { isAlabama, parseAlabama } from './alabama.ts';
import { type BoundaryLayout, parseBoundaryFile } from './boundary-file.ts';
import { isCdtfa, parseCdtfa } from './cdtfa.ts';
import { COLORADO_SHEET, isColorado, parseColorado } from './colorado.ts';
import { isIllinois, isIllinoisGrocery, parseIllinois, parseIllinoisGrocery } from './illinois.ts';
import { isMissouri, parseMissouri } from './missouri.ts';
import { isNeutral, parseNeutral } from './neutral.ts';
import { isNewMexico, parseNewMexico } from './new-mexico.ts';
import { inMemory, lineBatches, type OfferedFile, type OfficialFile, unzipFiles } from './official-file.ts';
import { generalRates, missingCounties, type ParsedFile, unknownPlace } from './parsed-file.ts';
import { sstBoundary } from './sst-boundary.ts';
import { parseSstName } from './sst-name.ts';
import { parseSstRates } from './sst-rates.ts';
import {
  cityCells,
  countyNamed,
  fileRow,
  percentRate,
  periodFrom,
  rateBeyond,
  stateRateOn,
} from './state-rows.ts';
import type { TextRow } from './table-rows.ts';
import { isTexas, parseTexas } from './texas.ts';
import { isWashingtonRates, parseWashingtonRates, washingtonZip4 } from './washington.ts';

/** An SST rate line begins with the state, a type and a code. */
const SST_RATE_LINE = /^\d{2},[0-9A-Za-z]{2},[0-9A-Za-z]{1,5},/;

const BOUNDARY_LAYOUTS: readonly BoundaryLayout[] = [sstBoundary, washingtonZip4];

/**
 * Recognize an official file by its layout, a Streamlined file also by its name, and read it completely.
 *
 * @throws {ContentRefusedError} when no importer knows the layout, or the file is damaged
 */
export const parseFile = async (
  offered: OfferedFile,
  content: TaxContent,
  existing: readonly TextRow[],
): Promise<ParsedFile> => {
  const isWorkbook = /\.xlsx$/i.test(offered.name);
  const firstLine = isWorkbook ? '' : await firstLineOf(offered);
  for (const layout of BOUNDARY_LAYOUTS) {
    const reader = layout(offered, content, firstLine);
    if (reader) return parseBoundaryFile(offered, reader);
  }
  const file = await inMemory(offered);
  if (isWorkbook) {
    const rows = await workbookRows(file, COLORADO_SHEET);
    if (isCdtfa(rows)) return parseCdtfa(file, rows, content);
    if (isColorado(rows)) return parseColorado(file, rows, content);
    if (isMissouri(rows)) return parseMissouri(file, rows, content);
    throw unknownLayout(file);
  }
  if (parseSstName(file.name)?.part === 'R' || SST_RATE_LINE.test(firstLine))
    return parseSstRates(file, content, existing);
  if (isTexas(firstLine)) return parseTexas(file, content);
  if (isIllinois(firstLine)) return parseIllinois(file, content);
  if (isIllinoisGrocery(firstLine)) return parseIllinoisGrocery(file, content);
  return parseCsv(file, content, existing);
};

const parseCsv = (file: OfficialFile, content: TaxContent, existing: readonly TextRow[]): ParsedFile => {
  const rows = csvRows(file);
  if (isCdtfa(rows)) return parseCdtfa(file, rows, content);
  if (isWashingtonRates(rows)) return parseWashingtonRates(file, rows, content);
  if (isAlabama(rows)) return parseAlabama(file, rows, content);
  if (isArizona(rows)) return parseArizona(file, rows, content);
  if (isNewMexico(rows)) return parseNewMexico(file, rows, content);
  if (isNeutral(rows)) return parseNeutral(file, rows, content, existing);
  throw unknownLayout(file);
};

const firstLineOf = async (file: OfferedFile): Promise<string> => {
  for await (const lines of lineBatches(file)) {
    const first = lines.find((line) => line.trim() !== '');
    if (first !== undefined) return first;
  }
  return '';
};

const unknownLayout = (file: OfficialFile): ContentRefusedError =>
  new ContentRefusedError(file.name, 'no importer knows this layout; docs/content.md lists the layouts');

/** A workbook is read as a whole and takes many times its size in memory; the official one has two megabytes. */
const XML_BYTES_MAX = 64_000_000;

/** Tags take much more memory than text; the official workbook has 30,000 elements, nested ten deep. */
const DEPTH_MAX = 100;

const ATTRIBUTES_MAX = 1_000;

const ELEMENTS_MAX = 1_000_000;

/** Read the cells of a named sheet, or of the first one, as text. exceljs is large, so it is loaded here, on demand. */
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

/** Read the records of a CSV file with quoting, each with its cells trimmed. @throws {ContentRefusedError} */
const csvRows = (file: OfficialFile): string[][] => {
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

const STATE = 'AZ';

/** The business code of retail sales. */
const RETAIL = 17;

const COUNTIES = 15;

const isArizona = (rows: readonly (readonly string[])[]): boolean =>
  (rows[0] ?? []).slice(0, 3).join(',').toLowerCase() === 'regioncode,regionname,businesscode';

/**
 * Read the rate table of Arizona. Counties have codes of three letters and a rate that includes that of the state;
 * cities have two letters and their own rate. Three cities share the name of a county in which they may not be, so the
 * length of the code decides. Reservations and districts cannot be found by the name of a place.
 */
const parseArizona = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const parts = /(\d{2})(\d{2})(\d{4})\.\w+$/.exec(file.name);
  const period = periodFrom(`${parts?.[3]}-${parts?.[1]}-${parts?.[2]}`, file.name);
  const header = (rows[0] ?? []).map((title) => title.toLowerCase());
  const [rateAt, typeAt] = [header.indexOf('taxrate'), header.indexOf('ratetype')];
  if (rateAt < 0 || typeAt < 0) throw new ContentRefusedError(file.name, 'a column of rates is missing');
  const stateRate = stateRateOn(content, STATE, period.first, file.name);
  const seen = new Set<string>();
  const counties: TextRow[] = [];
  const cities: TextRow[] = [];
  const warnings: string[] = [];
  let others = 0;
  for (const [index, row] of rows.entries()) {
    const [code = '', name = '', business = ''] = row;
    if (index === 0 || Number(business) !== RETAIL || row[typeAt]?.toLowerCase() !== 'percent') continue;
    const place = `${file.name}: row ${index + 1}`;
    if (seen.has(code)) throw new ContentRefusedError(place, `${name} stands there twice`);
    seen.add(code);
    const value = percentRate(row[rateAt] ?? '', place);
    const dated = { from: period.first, seen: period.first };
    const county = code.length === 3 ? countyNamed(content, STATE, name) : undefined;
    if (county !== undefined) {
      const rate = rateBeyond(value, stateRate, place);
      const cells = { level: 'county', code: county, name, scope: 'county', counties: county };
      counties.push(fileRow(STATE, { ...dated, ...cells, rate }));
    } else if (code.length === 2) {
      const cells = cityCells(content, STATE, name);
      if (!cells) warnings.push(unknownPlace(name));
      cities.push(
        fileRow(STATE, { ...dated, level: 'city', code, name, ...cells, rate: rateBeyond(value, 0, place) }),
      );
    } else others += 1;
  }
  if (counties.length !== COUNTIES) throw missingCounties(file.name, counties.length, COUNTIES);
  if (others > 0)
    warnings.push(`${others} reservations and districts were left out: no name of a place leads to them.`);
  return generalRates(STATE, {
    kind: 'arizona',
    period,
    rows: seen.size,
    localRates: [...counties, ...cities],
    warnings,
  });
};
