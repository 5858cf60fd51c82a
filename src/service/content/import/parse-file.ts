import { ContentRefusedError } from '../content-error.ts';
import type { TaxContent } from '../tax-content.ts';
import { type BoundaryLayout, parseBoundaryFile } from './boundary-file.ts';
import { recognizeLines, recognizeTable } from './file-lines.ts';
import { isNeutral, parseNeutral } from './neutral.ts';
import { inMemory, lineBatches, linesOf, type OfferedFile, type OfficialFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { readLayout } from './read-layout.ts';
import { sstBoundary } from './sst-boundary.ts';
import { parseSstName } from './sst-name.ts';
import { parseSstRates } from './sst-rates.ts';
import { csvRows, workbookRows } from './table-cells.ts';
import type { TextRow } from './table-rows.ts';
import { washingtonZip4 } from './washington-zip4.ts';

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
  if (/\.xlsx$/i.test(offered.name)) {
    const file = await inMemory(offered);
    const table = recognizeTable(file, await workbookRows(file), true);
    if (table) return readLayout(file, table, content);
    throw unknownLayout(file);
  }
  const firstLine = await firstLineOf(offered);
  for (const layout of BOUNDARY_LAYOUTS) {
    const reader = layout(offered, content, firstLine);
    if (reader) return parseBoundaryFile(offered, reader);
  }
  const file = await inMemory(offered);
  if (parseSstName(file.name)?.part === 'R' || SST_RATE_LINE.test(firstLine))
    return parseSstRates(file, content, existing);
  const listed = recognizeLines(file, linesOf(file));
  if (listed) return readLayout(file, listed, content);
  const rows = csvRows(file);
  if (isNeutral(rows)) return parseNeutral(file, rows, content, existing);
  const table = recognizeTable(file, [rows], false);
  if (table) return readLayout(file, table, content);
  throw unknownLayout(file);
};

const firstLineOf = async (file: OfferedFile): Promise<string> => {
  for await (const lines of lineBatches(file)) {
    const first = lines.find((line) => line.trim() !== '');
    if (first !== undefined) return first.replace(/\r$/, '');
  }
  return '';
};

const unknownLayout = (file: OfficialFile): ContentRefusedError =>
  new ContentRefusedError(file.name, 'no importer knows this layout; docs/content.md lists the layouts');
