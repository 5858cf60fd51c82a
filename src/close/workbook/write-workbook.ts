import { Writable } from 'node:stream';
import type { Workbook, Worksheet } from 'exceljs';
import { formatInstant, type Instant } from '../../kernel/calendar.ts';
import { DefectError } from '../../kernel/errors.ts';
import { headingStyle, proseStyle, titleStyle } from './cell-style.ts';
import { drawLaidOut } from './draw-laid-out.ts';
import { drawLines, type PlacedLink } from './draw-lines.ts';
import { drawTables } from './draw-table.ts';
import type { LaidOutSheet } from './laid-out.ts';
import { type PlacedSheet, type PlacedTable, placeTable, SHEET_ROWS_MAX, tablesOn } from './layout.ts';
import { type PackageEntry, writePackage } from './package-zip.ts';
import { placeInBook, setUpPage } from './page-setup.ts';
import { placeLaidOut } from './place-laid-out.ts';
import { type References, referencesFor, type Vocabulary } from './references.ts';
import { SHARED_STRINGS_PATH, type SharedStrings, sharedStrings } from './shared-strings.ts';
import type { FilledSheet, TextSheet } from './sheet.ts';
import { rowTaker, sheetPieces, type TakeRows, tableXml } from './sheet-pieces.ts';
import { sheetTail } from './sheet-tail.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import { textLines } from './text-lines.ts';
import { vocabularyOf } from './vocabulary.ts';

export type Sheet = TextSheet | FilledSheet | LaidOutSheet;

export type WorkbookProperties = {
  readonly title: string;
  readonly subject?: string;
  /** The program that made it, with its version. */
  readonly creator: string;
  readonly company?: string;
  readonly description?: string;
  readonly keywords?: string;
  /** Time of creation to state. Derived from the content of the workbook, never from the clock. */
  readonly created: Instant;
};

export type WorkbookContent = {
  readonly sheets: readonly Sheet[];
  readonly properties: WorkbookProperties;
  /** Maximum number of rows per sheet before a table continues on another; Excel's own limit if omitted. */
  readonly sheetRowsMax?: number;
};

/** A sheet of the written file, with the number of its data rows. Each part of a split table is a sheet of its own. */
export type WrittenSheet = { readonly name: string; readonly rows: number };

/**
 * Writes an Excel workbook. The same content produces the same bytes.
 *
 * exceljs draws everything except the rows of the tables: layout, styles, names, conditional formats, validation, print
 * set-up. The rows are then streamed into the package that exceljs wrote, with its style numbers, so that memory does
 * not grow with the rows.
 *
 * @throws {DefectError} for a value that a sheet cannot hold, a formula with an unknown reference, or a wrong number of
 * rows.
 */
export const writeWorkbook = async (
  path: string,
  content: WorkbookContent,
): Promise<readonly WrittenSheet[]> => {
  const placed = content.sheets.flatMap((sheet) => placeSheet(sheet, content.sheetRowsMax ?? SHEET_ROWS_MAX));
  const vocabulary = vocabularyOf(placed);
  const { files, links } = await drawWorkbook(placed, vocabulary, content.properties);
  await writePackage(path, entriesOf(files, { placed, vocabulary, links }));
  return placed.map((sheet) => ({
    name: sheet.sheetName,
    rows: sheet.kind === 'table' ? sheet.count : 0,
  }));
};

const placeSheet = (sheet: Sheet, sheetRowsMax: number): PlacedSheet[] => {
  if (sheet.kind === 'table') return placeTable(sheet, sheetRowsMax);
  if (sheet.kind === 'laid-out') return [placeLaidOut(sheet)];
  return [{ kind: 'text', source: sheet, sheetName: sheet.name }];
};

type Drawn = {
  readonly placed: readonly PlacedSheet[];
  readonly vocabulary: Vocabulary;
  /** For each sheet, the links outside its table's rows. */
  readonly links: readonly (readonly PlacedLink[])[];
};

const drawWorkbook = async (
  placed: readonly PlacedSheet[],
  vocabulary: Vocabulary,
  properties: WorkbookProperties,
): Promise<{ readonly files: PackageFiles; readonly links: Drawn['links'] }> => {
  // Imported here because it takes longer to load than the rest of the program together.
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook = new ExcelWorkbook();
  state(workbook, properties);
  const links: PlacedLink[][] = [];
  for (const sheet of placed) {
    const worksheet = workbook.addWorksheet(sheet.sheetName);
    links.push(drawSheet(worksheet, sheet, vocabulary));
    placeInBook(worksheet, sheet.source, ownerOf(properties));
  }
  return { files: await filesOf(workbook), links };
};

const ownerOf = ({ company, subject }: WorkbookProperties): string =>
  [company, subject].filter((part) => part !== undefined).join('  ·  ');

const drawSheet = (worksheet: Worksheet, sheet: PlacedSheet, vocabulary: Vocabulary): PlacedLink[] => {
  if (sheet.kind === 'table') {
    return drawTables(worksheet, sheet, (table) => rowReferences(vocabulary, table));
  }
  const at = referencesFor(vocabulary);
  return sheet.kind === 'laid-out'
    ? drawLaidOut(worksheet, sheet, at)
    : drawText(worksheet, sheet.source, at);
};

/** The files of a package by path. */
type PackageFiles = ReadonlyMap<string, Buffer>;

/** Takes a file of the package, as text. */
type Archive = { append: (content: string, options: { readonly name: string }) => void };

/** The steps of exceljs that are replaced; its typings omit them. */
type Steps = { addContentTypes: (archive: Archive, model: unknown) => Promise<void> };

/** Takes the files of the package before exceljs archives them: packing and unpacking would take as long again. */
const filesOf = async (workbook: Workbook): Promise<PackageFiles> => {
  const files = new Map<string, Buffer>();
  const append: Archive['append'] = (content, { name }) => {
    files.set(name, Buffer.from(content));
  };
  const { addContentTypes } = workbook.xlsx as unknown as Steps;
  Object.assign(workbook.xlsx, {
    // It is the first step.
    addContentTypes: (archive: Archive, model: unknown) => {
      archive.append = append;
      return addContentTypes.call(workbook.xlsx, archive, model);
    },
    _finalize: () => {},
  });
  await workbook.xlsx.write(new Writable());
  return files;
};

const rowReferences = (vocabulary: Vocabulary, { source, table }: PlacedTable): References =>
  referencesFor(vocabulary, source.table, table);

const state = (workbook: Workbook, properties: WorkbookProperties): void => {
  const created = new Date(formatInstant(properties.created));
  Object.assign(workbook, { ...properties, created, modified: created, lastModifiedBy: properties.creator });
};

const FIRST_PATHS = ['[Content_Types].xml', '_rels/.rels'];

const SHEET_PATH = /^xl\/worksheets\/sheet(\d+)\.xml$/;

const TABLE_PATH = /^xl\/tables\/table(\d+)\.xml$/;

/** Returns the package's files in a fixed order, with the final content of sheets, tables and shared strings. */
const entriesOf = (files: PackageFiles, drawn: Drawn): PackageEntry[] => {
  const tables = drawn.placed.flatMap(tablesOn);
  const strings = sharedStrings(files.get(SHARED_STRINGS_PATH)?.toString() ?? '');
  const takers = new Map<FilledSheet, TakeRows>();
  const rowsOf = ({ source }: PlacedTable): TakeRows => {
    const take = takers.get(source) ?? rowTaker(source.pages);
    takers.set(source, take);
    return take;
  };
  const piecesOf = (path: string, content: Buffer): PackageEntry['pieces'] => {
    if (path === SHARED_STRINGS_PATH) return stringPieces(strings);
    const table = numbered(path, TABLE_PATH, tables);
    if (table) {
      const id = tables.indexOf(table) + 1;
      return [Buffer.from(tableXml(table, id, rowReferences(drawn.vocabulary, table)))];
    }
    const sheet = numbered(path, SHEET_PATH, drawn.placed);
    if (!sheet) return [content];
    const links = drawn.links[drawn.placed.indexOf(sheet)] ?? [];
    const template = content.toString();
    if (sheet.kind !== 'table') return [Buffer.from(sheetTail(template, sheet, links, drawn.placed))];
    return sheetPieces({
      template,
      tables: tablesOn(sheet).map((placed) => ({
        placed,
        take: rowsOf(placed),
        at: rowReferences(drawn.vocabulary, placed),
        strings,
      })),
      links,
      sheets: drawn.placed,
    });
  };
  return orderedPaths(files).map((path) => {
    const content = files.get(path);
    if (!content) throw new DefectError(`the package has no ${path}`);
    return { path, pieces: piecesOf(path, content) };
  });
};

/** Generates the shared strings. It runs after all sheets are written, when the list is complete. */
function* stringPieces(strings: SharedStrings): Generator<Uint8Array> {
  yield Buffer.from(strings.xml());
}

const numbered = <Item>(path: string, form: RegExp, items: readonly Item[]): Item | undefined => {
  const number = form.exec(path)?.[1];
  return number === undefined ? undefined : items[Number(number) - 1];
};

/**
 * Orders the paths: first the part that lists all others, as readers expect; numbers in numeric order, so that the
 * parts of a table follow each other; last the shared strings.
 */
const orderedPaths = (files: PackageFiles): string[] => {
  const collator = new Intl.Collator('en', { numeric: true });
  const fixed = [...FIRST_PATHS, SHARED_STRINGS_PATH];
  const others = [...files.keys()].filter((path) => !fixed.includes(path));
  return [...FIRST_PATHS, ...others.sort(collator.compare), SHARED_STRINGS_PATH];
};

const LABEL_WIDTH = 30;

const VALUE_WIDTH = 44;

const NOTE_WIDTH = 56;

const PROSE_WIDTH = 125;

/** Draws a text sheet in two columns, labels and values. Prose flows over both and the column of notes. */
const drawText = (worksheet: Worksheet, sheet: TextSheet, at: References): PlacedLink[] => {
  worksheet.columns = [{ width: LABEL_WIDTH }, { width: VALUE_WIDTH }, { width: NOTE_WIDTH }];
  worksheet.views = [{ showGridLines: false }];
  const title = worksheet.getCell('A1');
  title.value = spreadsheetText(sheet.title);
  title.style = titleStyle;
  const links: PlacedLink[] = [];
  let row = 3;
  for (const block of sheet.blocks) {
    if ('heading' in block) {
      // Leaves more space above a heading than below it.
      row += row > 3 ? 1 : 0;
      const cell = worksheet.getCell(row, 1);
      cell.value = spreadsheetText(block.heading);
      cell.style = headingStyle;
      row += 1;
    } else if ('paragraph' in block) {
      for (const line of textLines(block.paragraph, PROSE_WIDTH)) {
        const cell = worksheet.getCell(row, 1);
        cell.value = spreadsheetText(line);
        cell.style = proseStyle;
        row += 1;
      }
    } else {
      links.push(...drawLines(worksheet, block.lines, row, { at, notes: 'wrap' }));
      row += block.lines.length;
    }
  }
  setUpPage(worksheet, {});
  return links;
};
