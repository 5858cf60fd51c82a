import type { Money } from '../../../kernel/money.ts';
import type { LateLine } from '../../figures/late-line.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';

const effect = (title: string, value: (line: LateLine) => Money, note?: string): Column<LateLine> => ({
  title,
  width: 13,
  format: 'money',
  value,
  total: 'sum',
  ...(note !== undefined && { note }),
});

/** Late items of locked periods: the change per state, and the period it is filed with. */
export const LATE_ITEMS = defineSheet<LateLine>({
  name: 'Late items',
  table: 'Late_items',
  title: 'Late items: records that came after their period was locked',
  note: 'Amounts are what each record changes. Carried and amended ones are rows of Detail and in its sums; open ones are not.',
  freeze: { columns: 1 },
  columns: [
    { title: 'Transaction', width: 16, format: 'id', value: ({ id }) => id },
    { title: 'Record', width: 14, format: 'id', value: ({ record }) => record },
    {
      title: 'What',
      width: 11,
      format: 'status',
      value: ({ kind }) => kind,
      note: 'New: it was not filed. Changed: it was filed otherwise; to carry or amend it reverses the filed record and adds the new version. Withdrawn: it was filed and is set aside now; to carry or amend it reverses the filed record.',
    },
    { title: 'Sale date', width: 12, format: 'date', value: ({ saleDate }) => saleDate },
    {
      title: 'Period',
      width: 12,
      format: 'status',
      value: ({ period }) => period,
      note: 'The locked period that it belongs to by its date.',
    },
    {
      title: 'Choice',
      width: 10,
      format: 'status',
      value: ({ choice }) => choice,
      flag: ({ choice }) => (choice === 'open' ? 'attention' : undefined),
    },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    effect('Gross', ({ gross }) => gross),
    effect('Taxable', ({ taxable }) => taxable),
    effect('Collected', ({ collected }) => collected),
    effect('Expected', ({ expected }) => expected, 'Under the law of the day of the sale.'),
    {
      title: 'Arrived in',
      width: 30,
      format: 'text',
      value: ({ file }) => file,
      note: 'The export that says it now. Inputs lists the exports in the order in which they are read.',
    },
    { title: 'Line', width: 8, format: 'count', value: ({ line }) => line },
  ],
});
