import { parseInstant } from '../../../kernel/calendar.ts';
import { ZERO } from '../../../kernel/money.ts';
import { type DetailRow, varianceOf } from '../../reconcile/detail-row.ts';
import { quoted } from '../../workbook/references.ts';
import { defineSheet } from '../../workbook/sheet.ts';

const reasonAt = (row: DetailRow, index: number) => row.reasons[index];

/** Every order and refund of the period with its three figures, from which all totals are added up. */
export const DETAIL = defineSheet<DetailRow>({
  name: 'Detail',
  table: 'Detail',
  title: 'Detail: every order and refund of the period',
  note: 'Variance = collected minus expected, of posted sales only. Refunds are negative. File and line lead to the export.',
  freeze: { columns: 2 },
  paper: 'tabloid',
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
    { title: 'Time (UTC)', width: 18, format: 'datetime', value: (row) => parseInstant(row.utc) },
    { title: 'State', width: 7, format: 'status', value: (row) => row.state },
    { title: 'City', width: 18, format: 'text', value: (row) => row.city },
    { title: 'ZIP', width: 11, format: 'id', value: (row) => row.zip },
    { title: 'Posted', width: 9, format: 'yes-no', value: (row) => row.isPosted },
    { title: 'Nexus', width: 8, format: 'yes-no', value: (row) => row.hasNexus },
    {
      title: 'Gross',
      width: 13,
      format: 'money',
      value: (row) => row.gross,
      total: 'sum',
      note: 'Goods and shipping after discounts, without tax.',
    },
    { title: 'Shipping', width: 11, format: 'money', value: (row) => row.shipping, total: 'sum' },
    { title: 'Taxable', width: 13, format: 'money', value: (row) => row.taxable, total: 'sum' },
    {
      title: 'Collected',
      width: 12,
      format: 'money',
      value: (row) => row.collected,
      total: 'sum',
      note: 'What the shop charged.',
    },
    {
      title: 'Expected',
      width: 12,
      format: 'money',
      value: (row) => row.expected,
      total: 'sum',
      note: 'Recomputed as of the day of the sale.',
    },
    {
      title: 'Recorded',
      width: 12,
      format: 'money',
      value: (row) => row.recorded,
      total: 'sum',
      note: 'What the tax service holds.',
    },
    {
      title: 'Variance',
      width: 12,
      format: 'money',
      value: (row) => (row.isPosted ? varianceOf(row) : ZERO),
      formula: (at) =>
        `IF(${at.cell('Posted')}=${quoted('Yes')},${at.difference(at.cell('Collected'), at.cell('Expected'))},0)`,
      total: 'sum',
    },
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
      title: 'Status',
      width: 17,
      format: 'status',
      value: (row) => row.status,
      flag: (row) => (row.status === 'tied out' || row.status === 'explained' ? undefined : 'attention'),
    },
    {
      title: 'Proof',
      width: 44,
      format: 'text',
      value: (row) => row.reasons.map(({ proof }) => proof).join('; ') || row.detail,
    },
    { title: 'Channel', width: 12, format: 'text', value: (row) => row.channel },
    { title: 'File', width: 26, format: 'text', value: (row) => row.file },
    { title: 'Line', width: 8, format: 'count', value: (row) => row.line },
    {
      title: 'Auditor result',
      width: 14,
      format: 'text',
      value: () => undefined,
      review: ['agrees', 'disagrees', 'to follow up'],
    },
    { title: 'Auditor note', width: 24, format: 'text', value: () => undefined, review: 'free' },
  ],
});
