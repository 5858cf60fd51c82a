import { DefectError } from '../kernel/errors.ts';
import { isFormula, type References, shownValue } from './cell.ts';
import { checkComputable, ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import type { Column, FilledSheet } from './sheet.ts';
import type { TableStyles } from './styles.ts';
import {
  BLANK_END,
  columnLetter,
  computedTextEnd,
  formulaXml,
  lineCount,
  lineLength,
  numberEnd,
  rowHeight,
  textEnd,
  xmlText,
} from './text.ts';

/** Characters per piece: smaller pieces compress less well, and larger ones take more memory. */
const PIECE_LENGTH = 262_144;

export type SheetGiven = {
  /** The sheet as exceljs wrote it, without the rows of its tables. */
  readonly template: string;
  /** The tables of the sheet, from top to bottom. */
  readonly tables: readonly RowsGiven[];
};

/** Yields the XML of a sheet of tables in pieces. Only one piece is in memory at a time. */
export async function* sheetPieces({ template, tables }: SheetGiven): AsyncGenerator<Uint8Array> {
  const placed = tables.map((given) => given.placed);
  const { heads, tail } = takeFrame(template, placed);
  for (const [index, given] of tables.entries()) {
    yield Buffer.from(heads[index] ?? '');
    yield* tablePieces(given);
  }
  yield Buffer.from(sheetTail(tail, placed));
}

/** Yields the rows and totals of one table. */
async function* tablePieces(given: RowsGiven): AsyncGenerator<Uint8Array> {
  const { placed, styles } = given;
  const { source } = placed;
  const rows = rowWriter(given);
  let count = 0;
  for await (const page of source.pages) {
    if (count + page.length > source.count) throw wrongCount(source, 'more came');
    for (const row of page) {
      rows.write(row, placed.firstRow + count);
      count += 1;
      if (rows.waiting() >= PIECE_LENGTH) yield rows.take();
    }
  }
  if (count < source.count) throw wrongCount(source, `only ${count} came`);
  yield rows.take();
  const blank = count === 0 ? `<row r="${placed.firstRow}"/>` : '';
  yield Buffer.from(blank + totalRowXml(placed, styles, rows.sums));
}

const wrongCount = ({ sheet, count }: FilledSheet, came: string): DefectError =>
  new DefectError(`${sheet.name} was to have ${count} rows, and ${came}`);

/**
 * Builds the part of the package for a table. It replaces the one from exceljs, which has neither the true number of
 * rows nor the formulas that fill whole columns.
 */
export const tableXml = (placed: PlacedTable, id: number, at: References): string => {
  const { table } = placed.source;
  const { columns } = placed.source.sheet;
  const lastColumn = columnLetter(columns.length);
  const corner = `A${placed.headerRow}`;
  const fields = columns.map((column, index) => {
    const total =
      placed.totalRow === undefined
        ? ''
        : index === 0
          ? ` totalsRowLabel="${TOTAL_LABEL}"`
          : column.total === undefined
            ? ''
            : ` totalsRowFunction="${column.total}"`;
    const open = `<tableColumn id="${index + 1}" name="${xmlText(column.title)}"${total}`;
    if (!column.formula) return `${open}/>`;
    const formula = xmlText(column.formula(at));
    return `${open}><calculatedColumnFormula>${formula}</calculatedColumnFormula></tableColumn>`;
  });
  const totals = placed.totalRow === undefined ? 'totalsRowShown="0"' : 'totalsRowCount="1"';
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"',
    ` id="${id}" name="${table}" displayName="${table}"`,
    ` ref="${corner}:${lastColumn}${placed.totalRow ?? placed.lastRow}" headerRowCount="1" ${totals}>`,
    `<autoFilter ref="${corner}:${lastColumn}${placed.lastRow}"/>`,
    `<tableColumns count="${columns.length}">${fields.join('')}</tableColumns>`,
    '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0"',
    ' showRowStripes="1" showColumnStripes="0"/></table>',
  ].join('');
};

const SHEET_DATA = /<sheetData>(.*)<\/sheetData>/s;
const ROW = /<row r="(\d+)"[^>]*?(?:\/>|>.*?<\/row>)/gs;
const DIMENSION = /<dimension ref="[^"]*"\/>/;

/**
 * Splits the XML of a sheet of tables as exceljs wrote it where the tables' rows belong: the XML before those of each table,
 * from the start of the sheet or from the end of the table above, and the XML after the last rows.
 *
 * @throws {DefectError} when the sheet lacks an expected part.
 */
export const takeFrame = (xml: string, tables: readonly PlacedTable[]) => {
  const data = SHEET_DATA.exec(xml);
  if (!data) throw new DefectError(`the sheet ${tables[0]?.sheetName} was written without rows`);
  const rows = [...(data[1] ?? '').matchAll(ROW)].map(([row, number]) => ({ row, number: Number(number) }));
  const width = Math.max(...tables.map(({ source }) => source.sheet.columns.length));
  const last = tables.at(-1);
  const corner = `${columnLetter(width)}${last?.totalRow ?? last?.lastRow}`;
  const before = xml.slice(0, data.index).replace(DIMENSION, `<dimension ref="A1:${corner}"/>`);
  const heads = tables.map(({ headerRow }, index) => {
    const above = tables[index - 1]?.lastRow ?? 0;
    const own = rows.filter(({ number }) => number > above && number <= headerRow).map(({ row }) => row);
    return `${index === 0 ? `${before}<sheetData>` : ''}${own.join('')}`;
  });
  return { heads, tail: `</sheetData>${xml.slice(data.index + data[0].length)}` };
};

/** The elements that follow the suppressed warnings; every sheet with a table has a table part. */
const AFTER_WARNINGS = /<tableParts|<\/worksheet>/;

/** Completes the XML that exceljs wrote after a sheet's rows with what it cannot write. */
export const sheetTail = (tail: string, tables: readonly PlacedTable[]): string =>
  tail.replace(AFTER_WARNINGS, (found) => warningsXml(tables) + found);

/**
 * Suppresses warnings: identifiers are numbers stored as text on purpose, and Excel would mark every one as an error.
 */
const warningsXml = (tables: readonly PlacedTable[]): string => {
  const ranges = tables.flatMap(({ source, firstRow, lastRow }) =>
    source.sheet.columns.flatMap(({ format }, index) => {
      const letter = columnLetter(index + 1);
      return format === 'id' ? [`${letter}${firstRow}:${letter}${lastRow}`] : [];
    }),
  );
  if (ranges.length === 0) return '';
  return `<ignoredErrors><ignoredError sqref="${ranges.join(' ')}" numberStoredAsText="1"/></ignoredErrors>`;
};

export type RowsGiven = {
  readonly placed: PlacedTable;
  readonly styles: TableStyles;
  readonly at: References;
};

/**
 * The XML that follows `<c` of a cell; for all columns except the first, whose cells state an address, including it.
 */
type CellWriter = (row: unknown) => string;

/** Precomputes everything that is the same in every row, so that a row costs little more than its text. */
export const rowWriter = (given: RowsGiven) => {
  const { placed } = given;
  const { columns } = placed.source.sheet;
  const sums = columnSums(columns);
  const writers = columns.map((column, index) => cellWriter(column, index, given, sums));
  const heightOf = heightWriter(placed);
  const failed = (error: unknown, index: number, rowNumber: number): unknown => {
    if (!(error instanceof DefectError)) return error;
    const place = `${placed.sheetName}!${columnLetter(index + 1)}${rowNumber} (${columns[index]?.title})`;
    return new DefectError(`${place}: ${error.message}`);
  };
  let xml = '';
  return {
    /** Sums of all rows so far. */
    sums,
    /**
     * Writes the next row, at a row number of the sheet.
     *
     * @throws {DefectError} naming the column that cannot be written.
     */
    write: (row: unknown, rowNumber: number): void => {
      xml += `<row r="${rowNumber}"${heightOf(row)}><c r="A${rowNumber}"`;
      let index = 0;
      try {
        for (const write of writers) {
          xml += write(row);
          index += 1;
        }
      } catch (error) {
        throw failed(error, index, rowNumber);
      }
      xml += '</row>';
    },
    /** Number of characters written since the last `take`. */
    waiting: () => xml.length,
    take: () => {
      const bytes = Buffer.from(xml);
      xml = '';
      return bytes;
    },
  };
};

const cellWriter = (
  column: Column<unknown>,
  index: number,
  { styles, at }: RowsGiven,
  sums: Sums,
): CellWriter => {
  const isKey = index === 0;
  const columnFormula = column.formula ? formulaXml(column.formula(at)) : '';
  const start = (style: string): string => `${isKey ? '' : '<c'} s="${style}"`;
  const { format } = column;
  const rule = ruleOf(format);
  const plain = start(styles.of(index, undefined));
  const flagged = {
    attention: start(styles.of(index, 'attention')),
    good: start(styles.of(index, 'good')),
  };
  const endOf = (value: unknown, formula = columnFormula): string => {
    if (formula !== '') checkComputable(format);
    if (value === undefined && isKey) throw new DefectError('the column that identifies the row is blank');
    if (value === undefined) return formula === '' ? BLANK_END : computedTextEnd('', formula);
    const text = rule.isText ? rule.encode(value) : rule.asText?.(value);
    if (text === undefined) return numberEnd(rule.encode(value), formula);
    return formula === '' ? textEnd(text) : computedTextEnd(text, formula);
  };
  const plainCell: CellOf = (value) => plain + endOf(value);
  const usualCell = isKey ? plainCell : remembering(plainCell);
  return (row) => {
    const cell = column.value(row);
    const value = shownValue(cell);
    const flag = column.flag?.(row);
    const own = isFormula(cell) ? formulaXml(cell.formula(at)) : undefined;
    const xml =
      flag === undefined && own === undefined
        ? usualCell(value)
        : (flag === undefined ? plain : flagged[flag]) + endOf(value, own);
    if (column.total !== undefined && value !== undefined) sums.add(index, value);
    return xml;
  };
};

type CellOf = (value: unknown) => string;

/** Maximum number of distinct values of a column whose cells are cached, so that memory does not grow with the rows. */
const KEPT_MAX = 2_048;

/** Caches the cells of the first distinct values. The cache of a column whose values rarely repeat is switched off. */
const remembering = (cellOf: CellOf): CellOf => {
  const kept = new Map<unknown, string>();
  let repeated = 0;
  let isLookedUp = true;
  return (value) => {
    if (!isLookedUp) return cellOf(value);
    const known = kept.get(value);
    if (known !== undefined) {
      repeated += 1;
      return known;
    }
    if (kept.size === KEPT_MAX) {
      isLookedUp = repeated >= KEPT_MAX;
      return cellOf(value);
    }
    const cell = cellOf(value);
    kept.set(value, cell);
    return cell;
  };
};

/** Returns the height attribute of a row whose longest text wraps over several lines. */
const heightWriter = ({ source, fits }: PlacedTable): ((row: unknown) => string) => {
  const flowing = source.sheet.columns.flatMap((column, index) => {
    const fit = fits[index];
    return fit?.wrap ? [{ column, length: lineLength(fit.width) }] : [];
  });
  return (row) => {
    let most = 1;
    for (const { column, length } of flowing) {
      const value = shownValue(column.value(row));
      if (value !== undefined) most = Math.max(most, lineCount(ruleOf(column.format).show(value), length));
    }
    return most > 1 ? ` ht="${rowHeight(most)}" customHeight="1"` : '';
  };
};

type Sums = ReturnType<typeof columnSums>;

/** Sums by column, in the integers of each column's unit: fractions are never added. */
const columnSums = (columns: readonly Column<unknown>[]) => {
  const sums = columns.map(() => 0);
  return {
    all: sums,
    /** @param value Not blank, and already checked to be of the column's format. */
    add: (column: number, value: unknown): void => {
      const sum = (sums[column] ?? 0) + Number(value);
      if (!Number.isSafeInteger(sum)) throw new DefectError(`the total ${sum} is not exact`);
      sums[column] = sum;
    },
  };
};

/** Builds the totals row, with live formulas and cached results. */
export const totalRowXml = (placed: PlacedTable, styles: TableStyles, sums: Sums): string => {
  const row = placed.totalRow;
  if (row === undefined) return '';
  const endOf = (column: Column<unknown>, index: number): string => {
    if (index === 0) return textEnd(TOTAL_LABEL);
    if (column.total === undefined) return BLANK_END;
    const formula = formulaXml(`SUBTOTAL(${SUM_OF_VISIBLE},${placed.source.table}[${column.title}])`);
    return numberEnd(ruleOf(column.format).encode(sums.all[index]), formula);
  };
  const cells = placed.source.sheet.columns.map((column, index) => {
    const address = index === 0 ? ` r="A${row}"` : '';
    return `<c${address} s="${styles.ofTotal(index)}"${endOf(column, index)}`;
  });
  return `<row r="${row}">${cells.join('')}</row>`;
};

export const TOTAL_LABEL = 'Total';
/** Excel's function number for the sum of the rows that a filter shows. */
const SUM_OF_VISIBLE = 109;
