import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import { isAlabama, parseAlabama } from './alabama.ts';
import { isArizona, parseArizona } from './arizona.ts';
import { isCdtfa, parseCdtfa } from './cdtfa.ts';
import { COLORADO_SHEET, isColorado, parseColorado } from './colorado.ts';
import { csvRows } from './csv-rows.ts';
import { isIllinois, parseIllinois } from './illinois.ts';
import { isIllinoisGrocery, parseIllinoisGrocery } from './illinois-grocery.ts';
import { isMissouri, parseMissouri } from './missouri.ts';
import { isNeutral, parseNeutral } from './neutral.ts';
import { isNewMexico, parseNewMexico } from './new-mexico.ts';
import { linesOf, type OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { parseSstBoundary } from './sst-boundary.ts';
import { parseSstName } from './sst-name.ts';
import { parseSstRates } from './sst-rates.ts';
import { workbookRows } from './state-workbook.ts';
import type { TextRow } from './table-rows.ts';
import { isTexas, parseTexas } from './texas.ts';
import {
  isWashingtonRates,
  isWashingtonZip4,
  parseWashingtonRates,
  parseWashingtonZip4,
} from './washington.ts';

/** An SST rate line begins with the state, a type and a code; a boundary line with its record type and two days. */
const SST_RATE_LINE = /^\d{2},[0-9A-Za-z]{2},[0-9A-Za-z]{1,5},/;
const SST_BOUNDARY_LINE = /^[A4Za4z],\d{8},\d{8},/;

/**
 * Recognise an official file by its layout, and read it whole. The name only helps where it states the period.
 *
 * @throws {ContentRefusedError} when no importer knows the layout, or the file is damaged
 */
export const parseFile = async (
  file: OfficialFile,
  content: TaxContent,
  localRates: readonly TextRow[],
): Promise<ParsedFile> => {
  if (/\.xlsx$/i.test(file.name)) {
    const rows = await workbookRows(file, COLORADO_SHEET);
    if (isCdtfa(rows)) return parseCdtfa(file, rows, content);
    if (isColorado(rows)) return parseColorado(file, rows, content);
    if (isMissouri(rows)) return parseMissouri(file, rows, content);
    throw unknownLayout(file);
  }
  const firstLine = firstOf(file);
  const part = parseSstName(file.name)?.part;
  if (part === 'B' || SST_BOUNDARY_LINE.test(firstLine)) return parseSstBoundary(file, content);
  if (part === 'R' || SST_RATE_LINE.test(firstLine)) return parseSstRates(file, content, localRates);
  if (isTexas(firstLine)) return parseTexas(file, content);
  if (isIllinois(firstLine)) return parseIllinois(file, content);
  if (isIllinoisGrocery(firstLine)) return parseIllinoisGrocery(file, content);
  return parseCsv(file, content);
};

const parseCsv = (file: OfficialFile, content: TaxContent): ParsedFile => {
  const rows = csvRows(file);
  if (isCdtfa(rows)) return parseCdtfa(file, rows, content);
  if (isWashingtonRates(rows)) return parseWashingtonRates(file, rows, content);
  if (isWashingtonZip4(rows)) return parseWashingtonZip4(file, rows, content);
  if (isAlabama(rows)) return parseAlabama(file, rows, content);
  if (isArizona(rows)) return parseArizona(file, rows, content);
  if (isNewMexico(rows)) return parseNewMexico(file, rows, content);
  if (isNeutral(rows)) return parseNeutral(file, rows, content);
  throw unknownLayout(file);
};

const firstOf = (file: OfficialFile): string => {
  for (const line of linesOf(file)) if (line.trim() !== '') return line;
  return '';
};

const unknownLayout = (file: OfficialFile): ContentRefusedError =>
  new ContentRefusedError(file.name, 'no importer knows this layout; docs/content.md lists the layouts');
