import {
  fileText,
  isAmountKnown,
  isUnderToPay,
  openChangeText,
  type PayList,
  type PayRow,
  payByText,
  STATUS_TEXTS,
} from '../figures/pay-list.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { DecideBand, DecideLine } from '../judge/decide-lines.ts';
import { type AnyCell, type Formula, isFormula, shownValue } from '../workbook/cell.ts';
import type { Column, TableSheet } from '../workbook/sheet.ts';
import { byReason, byStateOf, stateRows } from './by-state.ts';
import { decisionText } from './files-to-fill-in.ts';
import { type PageCell, type PageColumn, type PageTable, reasonRow, stateRow } from './page-table.ts';

export const statesTable = (report: PeriodReport) =>
  sheetTable(byStateOf(report.materiality), stateRows(report), {
    id: 'by-state',
    caption: 'By state: posted sales, and collected, expected and recorded tax',
    rowId: ({ state }) => stateRow(state),
    without: ['Material'],
  });

/** The status of a Decide line, with a sign, so that it does not depend on colour. */
const STANDINGS: Readonly<Record<DecideBand, string>> = {
  open: '●\u00a0OPEN',
  gap: '●\u00a0OPEN, missing in Tieout',
  cause: '○\u00a0DEFAULT',
  decided: '✓\u00a0DECIDED',
};

/** Maximum number of lines: a page with more is slow to search; open-items.csv has all of them. */
const LINES_MAX = 500;

export const decideTable = (lines: readonly DecideLine[]): PageTable<DecideLine> => ({
  id: 'decide-lines',
  isStacked: true,
  caption:
    lines.length > LINES_MAX
      ? `Decide: the first ${LINES_MAX} of ${lines.length} lines; open-items.csv has all`
      : 'Decide: one line for each cause and place, what is open first, the largest effect first',
  rows: lines.slice(0, LINES_MAX),
  columns: [
    { title: 'No.', cell: ({ no }) => no },
    { title: 'Status', cell: ({ band }) => ({ status: STANDINGS[band] }) },
    { title: 'Cause', cell: ({ name }) => name },
    { title: 'Place', cell: ({ place }) => place },
    { title: 'What it means', cell: ({ means }) => means },
    {
      title: 'Effect on tax',
      cell: ({ effect, isEffectKnown }) => (isEffectKnown ? { amount: effect } : 'unknown'),
    },
    { title: 'What to do', cell: ({ todo }) => todo },
    { title: 'Decision', cell: decisionText },
    { title: 'Why', cell: ({ decision }) => decision?.why ?? '' },
  ],
});

export const reasonsTable = ({ reasons }: PeriodReport) =>
  sheetTable(byReason(reasons), reasons, {
    id: 'by-reason',
    caption: 'By reason: what explains the variance; docs/reasons.md says what each means',
    rowId: ({ code }) => reasonRow(code),
  });

/** What the page has beside a sheet. */
type OnPage<Row> = Pick<PageTable<Row>, 'id' | 'caption' | 'rowId'> & {
  /** Titles of columns that only the workbook has. */
  readonly without?: readonly string[];
};

/** Builds a table of the page from the columns of a sheet. */
const sheetTable = <Row>(
  { columns }: Pick<TableSheet<Row>, 'columns'>,
  rows: readonly Row[],
  { without = [], ...table }: OnPage<Row>,
): PageTable<Row> => ({
  ...table,
  rows,
  columns: columns.filter(({ title }) => !without.includes(title)).map(pageColumn),
});

const pageColumn = <Row>(column: Column<Row>): PageColumn<Row> => ({
  title: column.title,
  cell: (row) =>
    pageCell(
      column.format === 'mixed'
        ? column.value(row)
        : ({ format: column.format, value: column.value(row) } as AnyCell),
    ),
});

/** Converts a sheet's cell for the page. */
const pageCell = (cell: AnyCell | undefined): PageCell => {
  switch (cell?.format) {
    case 'money':
    case 'change':
      return figureOf(cell.value, (amount) => ({ amount }));
    case 'rate':
    case 'percent':
      return figureOf(cell.value, (percent) => ({ percent }));
    case 'count':
      return figureOf(cell.value, (count) => ({ count }));
    default:
      return nameOrText(String(shownValue(cell?.value) ?? ''));
  }
};

const figureOf = <Value>(
  cell: Value | Formula<Value> | undefined,
  figure: (value: Value) => PageCell,
): PageCell => {
  const value = isFormula(cell) ? (cell as Formula<Value>).result : cell;
  return value === undefined ? '' : figure(value);
};

/** Treats a compound word as a name, which may break between its parts. */
const nameOrText = (text: string): PageCell => (/^\S+[/_-]\S+$/.test(text) ? { name: text } : text);

/** Shows an unknown change as text; only a change that is really zero is shown as zero. */
const changeCell = (row: PayRow): PageCell => {
  if (!isAmountKnown(row)) return '';
  const { change, isChangeOpen } = row;
  return isChangeOpen ? openChangeText(change) : { amount: change };
};

const fileWords = (row: PayRow): string => {
  if (row.instead) return `With ${row.instead.form}`;
  if (!isUnderToPay(row) || row.status === 'UNCHANGED') return '';
  return row.file ? fileText(row.file) : 'Enter on the portal';
};

/** The most words of a row of Pay: the sheet of the return has all of them. */
const WORDS_MAX = 15;

const firstWords = (text: string): string => {
  const words = text.split(' ');
  return words.length <= WORDS_MAX ? text : `${words.slice(0, WORDS_MAX - 1).join(' ')} …`;
};

/** Keeps a date on one line, and likewise a time after it. */
const unbroken = (text: string): string => text.replace(/ (?!\d+:)/g, '\u00a0');

/** Builds the table of the returns by the day of payment, with the words of the sheet Pay. */
export const payTable = ({ now, later }: PayList): PageTable<PayRow> => ({
  id: 'pay-list',
  isStacked: true,
  caption:
    'In the order in which payment is due. BLOCKED: a decision could still change the amount. NOT DUE: the return is of a longer period. What ends in … stands in full on Pay of filing-summary.xlsx.',
  rows: [...now, ...later],
  // Whether an amount is overdue depends on the reader's clock.
  data: (row) => (now.includes(row) ? { [row.payBy.isVerified ? 'pay' : 'unverified']: row.payBy.date } : {}),
  columns: [
    { title: 'State', cell: ({ state }) => state },
    { title: 'Return', cell: ({ form }) => form },
    { title: 'Status', cell: ({ status }) => ({ status: unbroken(STATUS_TEXTS[status]) }) },
    { title: 'To pay', cell: (row) => (isUnderToPay(row) ? { amount: row.amount } : '') },
    { title: 'Could change by at most, before discount', cell: changeCell },
    { title: 'Pay by', cell: ({ payBy }) => unbroken(payByText(payBy)) },
    { title: 'Before you file', cell: ({ todo }) => firstWords(todo) },
    { title: 'Portal file', cell: (row) => ({ name: fileWords(row) }) },
  ],
});
