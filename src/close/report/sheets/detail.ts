import { type Money, ZERO } from '../../../kernel/money.ts';
import { NO_CERTIFICATE } from '../../certificates/sale-exemption.ts';
import { type DetailLine, LEFT_OUT, varianceOf } from '../../reconcile/detail-row.ts';
import { entryOf } from '../../sales/corrections.ts';
import { type Column, defineSheet, type TableSheet } from '../../workbook/sheet.ts';

/** Statuses that need no further work. */
const SETTLED: ReadonlySet<DetailLine['status']> = new Set(['tied out', 'explained', LEFT_OUT]);

const reasonAt = (row: DetailLine, index: number) => row.reasons[index];

/** Builds a column with a figure of the posted rows only, so that its total equals that of every other sheet. */
const posted = (title: string, value: (row: DetailLine) => Money, note?: string): Column<DetailLine> => ({
  title,
  width: 12,
  format: 'money',
  value: (row) => (row.isPosted ? value(row) : undefined),
  total: 'sum',
  ...(note !== undefined && { note }),
});

/** Builds a column with the export's figure for rows that are not posted. */
const notPosted = (title: string, value: (row: DetailLine) => Money): Column<DetailLine> => ({
  title,
  width: 12,
  format: 'money',
  value: (row) => (row.isPosted ? undefined : value(row)),
  total: 'sum',
  note: 'In no other total: Exceptions says why the row is not posted.',
});

/** Every order and refund of the period with collected, expected and recorded tax, from which all totals are summed. */
export const DETAIL = defineSheet<DetailLine>({
  name: 'Detail',
  table: 'Detail',
  title: 'Detail: every order and refund of the period',
  note: 'Totals are those of the posted rows, as in By state; rows that are not posted have their amounts in columns of their own. Variance = collected minus expected. Refunds are negative. File and line lead to the export.',
  freeze: { columns: 2 },
  pagesWide: 2,
  columns: [
    {
      title: 'Transaction',
      width: 16,
      format: 'id',
      value: (row) => row.id,
      note: 'The id under which the tax service holds it.',
    },
    { title: 'Kind', width: 8, format: 'status', value: (row) => row.kind },
    { title: 'Refund of', width: 10, format: 'id', value: (row) => row.reference },
    { title: 'Business date', width: 12, format: 'date', value: (row) => row.businessDate },
    { title: 'State', width: 7, format: 'status', value: (row) => row.state },
    { title: 'City', width: 18, format: 'text', value: (row) => row.city },
    { title: 'ZIP', width: 11, format: 'id', value: (row) => row.zip },
    { title: 'Posted', width: 9, format: 'yes-no', value: (row) => row.isPosted },
    posted('Gross', (row) => row.gross, 'Goods and shipping after discounts, without tax.'),
    posted('Taxable', (row) => row.taxable),
    posted('Collected', (row) => row.collected, 'What the shop charged.'),
    posted('Expected', (row) => row.expected, 'Recomputed as of the day of the sale.'),
    posted('Recorded', (row) => row.recorded, 'What the tax service holds.'),
    {
      title: 'Variance',
      width: 12,
      format: 'money',
      value: (row) => (row.isPosted ? varianceOf(row) : ZERO),
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      total: 'sum',
    },
    notPosted('Gross not posted', (row) => row.gross),
    notPosted('Tax not posted', (row) => row.collected),
    { title: 'Reason', width: 8, format: 'status', value: (row) => reasonAt(row, 0)?.code },
    {
      title: 'Reason amount',
      width: 12,
      format: 'money',
      value: (row) => reasonAt(row, 0)?.amount,
      total: 'sum',
    },
    { title: 'Second reason', width: 9, format: 'status', value: (row) => reasonAt(row, 1)?.code },
    {
      title: 'Second amount',
      width: 12,
      format: 'money',
      value: (row) => reasonAt(row, 1)?.amount,
      total: 'sum',
    },
    { title: 'Third reason', width: 9, format: 'status', value: (row) => reasonAt(row, 2)?.code },
    {
      title: 'Third amount',
      width: 12,
      format: 'money',
      value: (row) => reasonAt(row, 2)?.amount,
      total: 'sum',
    },
    {
      title: 'Certificate',
      width: 14,
      format: 'id',
      value: (row) => row.certificate,
      note: 'The certificate that the exemption relies on; `(none: decided)` where it stands without one by decision.',
      flag: (row) => (row.certificate === NO_CERTIFICATE ? 'attention' : undefined),
    },
    {
      title: 'Tax relieved',
      width: 12,
      format: 'money',
      value: (row) => row.relieved,
      total: 'sum',
      note: 'What an exempt sale would have carried; blank where no one knows it.',
    },
    {
      title: 'Status',
      width: 17,
      format: 'status',
      value: (row) => row.status,
      flag: ({ status }) => (SETTLED.has(status) ? undefined : 'attention'),
    },
    {
      title: 'Proof',
      width: 44,
      format: 'text',
      wrap: true,
      value: (row) => row.reasons.map(({ proof }) => proof).join('; ') || row.detail,
    },
    { title: 'Channel', width: 12, format: 'text', value: (row) => row.channel },
    { title: 'File', width: 34, format: 'text', value: (row) => row.file },
    { title: 'Line', width: 8, format: 'count', value: (row) => row.line },
  ],
});

/**
 * Adds the column that marks reversals. Only books with reversals that have reasons need it:
 * the sides of the bridge go by it.
 */
export const markingReversals = <Row>(
  sheet: TableSheet<Row>,
  isReversal: (row: Row) => boolean,
): TableSheet<Row> => {
  const mark: Column<Row> = {
    title: 'Reversal',
    width: 10,
    format: 'yes-no',
    value: (row) => (isReversal(row) ? true : undefined),
    note: 'Takes a filed version of a record off the books: its figures have the other sign, its reasons among them.',
  };
  return defineSheet({
    ...sheet,
    columns: [...sheet.columns, mark],
  });
};

/** Detail of a period with reversals that have reasons. */
export const DETAIL_WITH_REVERSALS = markingReversals(DETAIL, (row) => entryOf(row).isReversal);
