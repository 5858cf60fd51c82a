import { open, rm } from 'node:fs/promises';
import { type PassThrough, Readable, Writable } from 'node:stream';
import type { Style, Workbook } from 'exceljs';
import { ZipFile } from 'yazl';
import { formatInstant, type Instant } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import { LEFT_OUT, type References, referencesFor, type TableShape, type Vocabulary } from './cell.ts';
import { drawFooter, drawTables } from './draw-table.ts';
import { type PlacedTable, placeTables } from './layout.ts';
import type { SheetTables } from './sheet.ts';
import { type RowsGiven, sheetPieces, tableXml } from './sheet-xml.ts';
import { type TableStyles, tableStyles } from './styles.ts';
import { columnLetter, quotedSheetName } from './text.ts';

export type WorkbookProperties = {
  readonly title: string;
  readonly subject?: string;
  /** The program that made it, with its version. */
  readonly creator: string;
  readonly company?: string;
  /** Time of creation to state. Derived from the content of the workbook, never from the clock. */
  readonly created: Instant;
};

export type WorkbookContent = {
  readonly sheets: readonly SheetTables[];
  /** The tables that formulas may name and that have no rows in this book, and so no sheet. */
  readonly leftOut?: readonly string[];
  readonly properties: WorkbookProperties;
};

/**
 * Writes an Excel workbook. The same content produces the same bytes.
 *
 * exceljs draws everything except the rows of the tables: layout, styles, names, conditional formats, validation, print
 * set-up. The rows are then streamed into the package that exceljs wrote, with its style numbers, so that memory does
 * not grow with the rows.
 *
 * @throws {DefectError} for a value that a sheet cannot hold, a formula or link to what is not in the workbook, or a
 * wrong number of rows.
 */
export const writeWorkbook = async (
  path: string,
  { sheets, leftOut = [], properties }: WorkbookContent,
): Promise<void> => {
  const placed = sheets.map(placeTables);
  const drawn = await drawWorkbook(placed, properties);
  await writePackage(path, entriesOf(placed, vocabularyOf(placed, leftOut), drawn));
};

/** The tables of one sheet. */
type PlacedSheet = readonly PlacedTable[];

/** What exceljs drew: the files of the package by path, and the numbers of the styles of each table. */
type Drawn = {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly styles: ReadonlyMap<PlacedTable, TableStyles>;
};

const drawWorkbook = async (
  placed: readonly PlacedSheet[],
  { created, ...properties }: WorkbookProperties,
): Promise<Drawn> => {
  // Imported here because it takes longer to load than the rest of the program together.
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook = new ExcelWorkbook();
  const { company, subject, creator } = properties;
  const day = new Date(formatInstant(created));
  Object.assign(workbook, { ...properties, created: day, modified: day, lastModifiedBy: creator });
  const owner = [company, subject].filter((part) => part !== undefined).join('  ·  ');
  for (const tables of placed) {
    const worksheet = workbook.addWorksheet(tables[0]?.sheetName);
    drawTables(worksheet, tables);
    drawFooter(worksheet, owner);
  }
  return filesOf(workbook, placed.flat());
};

/** Takes a file of the package, as text. */
type Archive = { append: (content: string, options: { readonly name: string }) => void };

/** What exceljs writes: the styles numbered so far. Its typings omit it. */
type Model = { readonly styles: { addStyleModel(style: Partial<Style>): number } };

/** The steps of exceljs that are replaced; its typings omit them. */
type Steps = { addContentTypes: (archive: Archive, model: Model) => Promise<void> };

/**
 * Takes the files of the package before exceljs archives them: packing and unpacking would take as long again. Numbers
 * the styles of the tables' rows beside those of the cells that exceljs draws.
 */
const filesOf = async (workbook: Workbook, tables: readonly PlacedTable[]): Promise<Drawn> => {
  const files = new Map<string, Buffer>();
  const styles = new Map<PlacedTable, TableStyles>();
  const append: Archive['append'] = (content, { name }) => {
    files.set(name, Buffer.from(content));
  };
  const { addContentTypes } = workbook.xlsx as unknown as Steps;
  Object.assign(workbook.xlsx, {
    // It is the first step.
    addContentTypes: (archive: Archive, model: Model) => {
      archive.append = append;
      for (const table of tables) {
        styles.set(
          table,
          tableStyles(table, (style) => model.styles.addStyleModel(style)),
        );
      }
      return addContentTypes.call(workbook.xlsx, archive, model);
    },
    _finalize: () => {},
  });
  await workbook.xlsx.write(new Writable());
  return { files, styles };
};

const FIRST_PATHS = ['[Content_Types].xml', '_rels/.rels'];

const SHEET_PATH = /^xl\/worksheets\/sheet(\d+)\.xml$/;

const TABLE_PATH = /^xl\/tables\/table(\d+)\.xml$/;

/** Returns the package's files in a fixed order, with the final content of sheets and tables. */
const entriesOf = (
  placed: readonly PlacedSheet[],
  vocabulary: Vocabulary,
  { files, styles }: Drawn,
): PackageEntry[] => {
  const tables = placed.flat();
  const referencesOf = ({ source }: PlacedTable): References => referencesFor(vocabulary, source.table);
  const given = (table: PlacedTable): RowsGiven => {
    const own = styles.get(table);
    if (!own) throw new DefectError(`the styles of ${table.source.table} have no numbers`);
    return { placed: table, styles: own, at: referencesOf(table) };
  };
  const piecesOf = (path: string, content: Buffer): PackageEntry['pieces'] => {
    const table = numbered(path, TABLE_PATH, tables);
    if (table) return [Buffer.from(tableXml(table, tables.indexOf(table) + 1, referencesOf(table)))];
    const sheet = numbered(path, SHEET_PATH, placed);
    if (!sheet) return [content];
    return sheetPieces({ template: content.toString(), tables: sheet.map(given) });
  };
  return orderedPaths(files).map((path) => {
    const content = files.get(path);
    if (!content) throw new DefectError(`the package has no ${path}`);
    return { path, pieces: piecesOf(path, content) };
  });
};

const numbered = <Item>(path: string, form: RegExp, items: readonly Item[]): Item | undefined => {
  const number = form.exec(path)?.[1];
  return number === undefined ? undefined : items[Number(number) - 1];
};

/**
 * Orders the paths: first the part that lists all others, as readers expect; numbers in numeric order, so that the
 * parts of a table follow each other.
 */
const orderedPaths = (files: Drawn['files']): string[] => {
  const collator = new Intl.Collator('en', { numeric: true });
  const others = [...files.keys()].filter((path) => !FIRST_PATHS.includes(path));
  return [...FIRST_PATHS, ...others.sort(collator.compare)];
};

/** Collects the tables of a workbook, for formulas. */
const vocabularyOf = (placed: readonly PlacedSheet[], leftOut: readonly string[]): Vocabulary =>
  new Map<string, TableShape | typeof LEFT_OUT>([
    ...leftOut.map((table) => [table, LEFT_OUT] as const),
    ...placed.flat().map((table) => [table.source.table, shapeOf(table)] as const),
  ]);

const shapeOf = ({ source, sheetName, firstRow }: PlacedTable): TableShape => {
  const { table, count } = source;
  const { columns, countedBy } = source.sheet;
  return {
    countedBy,
    rangeOf: (title) => `${table}[${title}]`,
    addressOf: (title, row) => {
      const letter = columnLetter(columns.findIndex((each) => each.title === title) + 1);
      return row < count ? `${quotedSheetName(sheetName)}!$${letter}$${firstRow + row}` : undefined;
    },
  };
};

/** A file of a package, with its content in pieces that are produced when the file is written. */
type PackageEntry = {
  readonly path: string;
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
};

/**
 * Writes a package file whose bytes depend only on its entries and their order. Only its owner may read the file,
 * because it contains addresses and sales. If writing fails, no file is left.
 */
export const writePackage = async (path: string, entries: Iterable<PackageEntry>): Promise<void> => {
  const zip = new ZipFile();
  // Level 3 would make the file a tenth smaller for a tenth more processor time. The day is the first of ZIP in every zone.
  const options = { compressionLevel: 1, mtime: new Date(1980, 0, 1), forceDosTimestamp: true };
  const output = zip.outputStream as PassThrough;
  for (const entry of entries)
    zip.addReadStreamLazy(entry.path, options, (take) => {
      const content = Readable.from(entry.pieces, { objectMode: false });
      take(
        null,
        content.on('error', (error) => output.destroy(error)),
      );
    });
  zip.end();
  const file = await open(path, 'w', 0o600);
  try {
    for await (const bytes of output) await file.appendFile(bytes as Uint8Array);
    await file.close();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
};
