import { DefectError } from '../kernel/errors.ts';
import { isFormula, type References, resolveFormula, shownValue } from './cell.ts';
import { checkComputable, ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import type { Column } from './sheet.ts';
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
  rowXml,
  textEnd,
} from './text.ts';

export type RowWriter = {
  /**
   * Writes the next row, at a row number of the sheet.
   *
   * @throws {DefectError} naming the column that cannot be written.
   */
  write(row: unknown, rowNumber: number): void;
  /** Number of characters written since the last `take`. */
  waiting(): number;
  take(): Buffer;
  /** Sums of all rows so far. */
  readonly sums: Sums;
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
export const rowWriter = (given: RowsGiven): RowWriter => {
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
    sums,
    write: (row, rowNumber) => {
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
    const own = isFormula(cell) ? formulaXml(resolveFormula(cell.formula, at)) : undefined;
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

/** Sums by column, in the integers of each column's unit: fractions are never added. */
export type Sums = {
  readonly all: readonly number[];
  /** @param value Not blank, and already checked to be of the column's format. */
  add(column: number, value: unknown): void;
};

export const columnSums = (columns: readonly Column<unknown>[]): Sums => {
  const sums = columns.map(() => 0);
  return {
    all: sums,
    add: (column, value) => {
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
  const ends = placed.source.sheet.columns.map((column, index) => {
    if (index === 0) return textEnd(TOTAL_LABEL);
    if (column.total === undefined) return BLANK_END;
    const formula = formulaXml(`SUBTOTAL(${SUM_OF_VISIBLE},${placed.source.table}[${column.title}])`);
    return numberEnd(ruleOf(column.format).encode(sums.all[index]), formula);
  });
  return rowXml(row, styles.ofTotal, ends);
};

export const TOTAL_LABEL = 'Total';
/** Excel's function number for the sum of the rows that a filter shows. */
const SUM_OF_VISIBLE = 109;
