import { DefectError } from '../../kernel/errors.ts';
import { isFormula, shownValue } from './cell.ts';
import { blankCell, formulaXml, numberCell, textCell } from './cell-xml.ts';
import { columnLetter } from './column-letter.ts';
import { typedCell } from './column-widths.ts';
import type { PlacedLink } from './draw-lines.ts';
import { checkComputable, type Format, ruleOf } from './format.ts';
import type { FormulaText } from './references.ts';
import type { ColumnLook, RowLook } from './row-look.ts';
import type { Column, TableSheet } from './sheet.ts';
import { lineCount, rowHeight } from './text-lines.ts';
import { columnSums, type Sums } from './totals.ts';

/** Rows of a sheet as the file has them, with what they add to the sheet: plain data, as the look of rows is. */
export type WrittenRows = {
  readonly count: number;
  readonly xml: Uint8Array;
  /** What they add to the total of each column. */
  readonly sums: readonly number[];
  readonly links: readonly PlacedLink[];
};

export type RowWriter = {
  /** Write one more row, at a row number of the sheet. @throws {DefectError} naming the column that cannot be written. */
  write(row: unknown, rowNumber: number): void;
  /** Characters written since the last time that some were taken. */
  waiting(): number;
  take(): WrittenRows;
};

/** The formula that a cell has of its own, in the words of the workbook. */
export type ResolveFormula = (text: FormulaText) => string;

type CellWriter = (row: unknown, address: string) => string;

/** Everything that is the same in every row is settled once, so that a row costs little more than its text. */
export const rowWriter = (
  { columns }: TableSheet<unknown>,
  look: RowLook,
  resolve: ResolveFormula,
): RowWriter => {
  let written = nothingWritten(columns);
  const writers = columns.map((column, index) => {
    const write = cellWriter(column, lookOfColumn(look, index), {
      isKey: index === 0,
      resolve,
      add: (value) => written.sums.add(index, value),
    });
    return column.link ? withLink(column, write, (link) => written.links.push(link)) : write;
  });
  const heightOf = heightWriter(columns, look);
  const letters = columns.map((_, index) => columnLetter(index + 1));
  return {
    write: (row, rowNumber) => {
      let xml = `<row r="${rowNumber}"${heightOf(row)}>`;
      let index = 0;
      try {
        for (; index < writers.length; index += 1) {
          xml += writers[index]?.(row, `${letters[index]}${rowNumber}`);
        }
      } catch (error) {
        if (!(error instanceof DefectError)) throw error;
        const place = `${look.sheetName}!${letters[index]}${rowNumber} (${columns[index]?.title})`;
        throw new DefectError(`${place}: ${error.message}`);
      }
      written.xml += `${xml}</row>`;
      written.count += 1;
    },
    waiting: () => written.xml.length,
    take: () => {
      const { xml, count, sums, links } = written;
      written = nothingWritten(columns);
      return { count, xml: Buffer.from(xml), sums: sums.all, links };
    },
  };
};

type Written = { count: number; xml: string; readonly sums: Sums; readonly links: PlacedLink[] };

const nothingWritten = (columns: readonly Column<unknown>[]): Written => ({
  count: 0,
  xml: '',
  sums: columnSums(columns),
  links: [],
});

const lookOfColumn = ({ sheetName, columns }: RowLook, index: number): ColumnLook => {
  const look = columns[index];
  if (!look) throw new DefectError(`${sheetName} has more columns than were drawn`);
  return look;
};

type CellPlace = {
  readonly isKey: boolean;
  readonly resolve: ResolveFormula;
  /** Told of each value, for the column's total. */
  readonly add: (value: unknown) => void;
};

const cellWriter = (
  column: Column<unknown>,
  { styles, formula: columnFormula }: ColumnLook,
  { isKey, resolve, add }: CellPlace,
): CellWriter => {
  const writerOf = (format: Format) => {
    const rule = ruleOf(format);
    const numbers = styles[format];
    if (!numbers) throw new DefectError(`the column was drawn without ${format} cells`);
    return (row: unknown, address: string, cell: unknown): string => {
      const value = shownValue(cell);
      if (value === undefined && isKey) throw new DefectError('the column that identifies the row is blank');
      const formula = isFormula(cell) ? formulaXml(resolve(cell.formula)) : columnFormula;
      if (formula !== '') checkComputable(format);
      const style = numbers[column.flag?.(row) ?? 'plain'];
      if (value === undefined) return blankCell(address, style, formula);
      const encoded = rule.encode(value);
      add(value);
      return rule.isText
        ? textCell(address, style, encoded, formula)
        : numberCell(address, style, encoded, formula);
    };
  };
  if (column.format !== 'mixed') {
    const write = writerOf(column.format);
    return (row, address) => write(row, address, column.value(row));
  }
  const writers = new Map<Format, ReturnType<typeof writerOf>>();
  return (row, address) => {
    const cell = column.value(row);
    const format = cell?.format ?? 'text';
    const write = writers.get(format) ?? writerOf(format);
    writers.set(format, write);
    return write(row, address, cell?.value);
  };
};

/** The height attribute of a row in which text flows over several lines. */
const heightWriter = (columns: readonly Column<unknown>[], look: RowLook): ((row: unknown) => string) => {
  const flowing = columns.flatMap((column, index) => {
    const { lineLength } = lookOfColumn(look, index);
    return lineLength === undefined ? [] : [{ column, lineLength }];
  });
  if (flowing.length === 0) return () => '';
  return (row) => {
    const lines = flowing.map(({ column, lineLength }) => {
      const cell = typedCell(column, row);
      const value = shownValue(cell?.value);
      return cell && value !== undefined ? lineCount(ruleOf(cell.format).show(value), lineLength) : 1;
    });
    const most = Math.max(...lines);
    return most > 1 ? ` ht="${rowHeight(most)}" customHeight="1"` : '';
  };
};

const withLink =
  (column: Column<unknown>, write: CellWriter, add: (link: PlacedLink) => void): CellWriter =>
  (row, address) => {
    const link = column.link?.(row);
    if (link) add({ address, link });
    return write(row, address);
  };
