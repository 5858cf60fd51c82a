import { DefectError } from '../../kernel/errors.ts';
import { isFormula, shownValue } from './cell.ts';
import { blankCell, formulaXml, numberCell, textCell } from './cell-xml.ts';
import { columnLetter } from './column-letter.ts';
import { typedCell } from './column-widths.ts';
import type { PlacedLink } from './draw-lines.ts';
import { checkComputable, type Format, type FormatRule, ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import { type References, resolveFormula } from './references.ts';
import type { Column } from './sheet.ts';
import type { SheetFrame } from './sheet-frame.ts';
import { TEMPLATE_FLAGS } from './template-rows.ts';
import { lineCount, rowHeight } from './text-lines.ts';
import type { Totals } from './totals.ts';

/** Static links in one sheet of Excel's file format. */
const LINKS_MAX = 65_530;
/** Widths count digits, and the letters of prose are narrower; the cell's indent takes one of them. */
const LETTERS_PER_DIGIT = 1.1;
const INDENT = 1;

export type RowWriter = {
  /** The XML of one row at a row number of the sheet. @throws {DefectError} naming the column that cannot be written. */
  write(row: unknown, rowNumber: number): string;
  readonly links: readonly PlacedLink[];
};

type CellWriter = (row: unknown, address: string) => string;

/** Everything that is the same in every row is settled once, so that a row costs little more than its text. */
export const rowWriter = (
  placed: PlacedTable,
  frame: SheetFrame,
  at: References,
  totals: Totals,
): RowWriter => {
  const links: PlacedLink[] = [];
  const { columns } = placed.source.sheet;
  const writers = columns.map((column, index) => {
    const write = cellWriter(column, index, frame, at, totals);
    return column.link ? withLink(column, write, links) : write;
  });
  const heightOf = heightWriter(placed);
  const letters = columns.map((_, index) => columnLetter(index + 1));
  return {
    links,
    write: (row, rowNumber) => {
      let xml = `<row r="${rowNumber}"${heightOf(row)}>`;
      let index = 0;
      try {
        for (; index < writers.length; index += 1) {
          xml += writers[index]?.(row, `${letters[index]}${rowNumber}`);
        }
      } catch (error) {
        if (!(error instanceof DefectError)) throw error;
        const place = `${placed.sheetName}!${letters[index]}${rowNumber} (${columns[index]?.title})`;
        throw new DefectError(`${place}: ${error.message}`);
      }
      return `${xml}</row>`;
    },
  };
};

const cellWriter = (
  column: Column<unknown>,
  index: number,
  frame: SheetFrame,
  at: References,
  totals: Totals,
): CellWriter => {
  const columnFormula = column.formula ? formulaXml(column.formula(at)) : '';
  const isKey = index === 0;
  const write = (address: string, cell: unknown, { format, rule, styles }: Look, row: unknown): string => {
    const value = shownValue(cell);
    if (value === undefined && isKey) throw new DefectError('the column that identifies the row is blank');
    const formula = isFormula(cell) ? formulaXml(resolveFormula(cell.formula, at)) : columnFormula;
    if (formula !== '') checkComputable(format);
    const flag = column.flag?.(row);
    const style = flag === undefined ? styles.plain : styles[flag];
    if (value === undefined) return blankCell(address, style, formula);
    const encoded = rule.encode(value);
    totals.add(index, value);
    return rule.isText
      ? textCell(address, style, encoded, formula)
      : numberCell(address, style, encoded, formula);
  };

  const looks = new Map<Format, Look>();
  const lookOf = (format: Format): Look => {
    const look = looks.get(format) ?? {
      format,
      rule: ruleOf(format),
      styles: flagStyles(frame, index, format),
    };
    looks.set(format, look);
    return look;
  };
  if (column.format === 'mixed') {
    return (row, address) => {
      const cell = column.value(row);
      return write(address, cell?.value, lookOf(cell?.format ?? 'text'), row);
    };
  }
  const look = lookOf(column.format);
  return (row, address) => write(address, column.value(row), look, row);
};

/** How a cell of some format is written in some column. */
type Look = { readonly format: Format; readonly rule: FormatRule<unknown>; readonly styles: FlagStyles };

/** The height attribute of a row in which text flows over several lines. */
const heightWriter = ({ source, fits }: PlacedTable): ((row: unknown) => string) => {
  const flowing = source.sheet.columns.flatMap((column, index) => {
    const fit = fits[index];
    return fit?.wrap ? [{ column, room: Math.floor(fit.width * LETTERS_PER_DIGIT) - INDENT }] : [];
  });
  if (flowing.length === 0) return () => '';
  return (row) => {
    const lines = flowing.map(({ column, room }) => {
      const cell = typedCell(column, row);
      const value = shownValue(cell?.value);
      return cell && value !== undefined ? lineCount(ruleOf(cell.format).show(value), room) : 1;
    });
    const most = Math.max(...lines);
    return most > 1 ? ` ht="${rowHeight(most)}" customHeight="1"` : '';
  };
};

type FlagStyles = { readonly plain: string; readonly attention: string; readonly good: string };

const flagStyles = (frame: SheetFrame, column: number, format: Format): FlagStyles => {
  const [plain = '', attention = '', good = ''] = TEMPLATE_FLAGS.map((flag) =>
    frame.styleOf(column, format, flag),
  );
  return { plain, attention, good };
};

const withLink =
  (column: Column<unknown>, write: CellWriter, links: PlacedLink[]): CellWriter =>
  (row, address) => {
    const link = column.link?.(row);
    if (link) {
      if (links.length === LINKS_MAX) throw new DefectError(`a sheet holds ${LINKS_MAX} links at most`);
      links.push({ address, link });
    }
    return write(row, address);
  };
