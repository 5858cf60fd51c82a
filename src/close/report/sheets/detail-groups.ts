import { add, type Money, ZERO } from '../../../kernel/money.ts';
import type { DetailLine } from '../../reconcile/detail-row.ts';
import { entryOf } from '../../sales/corrections.ts';
import { defineSheet, type TableSheet } from '../../workbook/sheet.ts';
import { counted, words } from './columns.ts';

/** Rows of Detail, summed because no total of the book distinguishes them, and the file that lists them. */
export type DetailGroup = DetailLine & { readonly sales: number; readonly rowsIn: string };

/** The columns of Detail that show a single sale. */
const OF_ONE_SALE: ReadonlySet<string> = new Set(['Transaction', 'Place', 'Proof', 'File and line']);

/** Detail of a period with too many sales for one sheet: the index of the files that list them, with sums. */
export const detailGroupsOf = (detail: TableSheet<DetailLine>): TableSheet<DetailGroup> =>
  defineSheet<DetailGroup>({
    ...detail,
    title: 'Detail: sums of the files that list every order and refund',
    note: 'The folder detail has a file for each state and day, with a row for each order and refund. A row here adds up those of one file that are alike in all that the totals of this book ask.',
    countedBy: 'Sales',
    columns: [
      words('File', 26, ({ rowsIn }) => rowsIn),
      counted('Sales', 9, ({ sales }) => sales),
      ...detail.columns.filter(({ title }) => !OF_ONE_SALE.has(title)),
    ],
  });

/** Sums rows in groups. */
export const detailGrouping = () => {
  const groups = new Map<string, DetailGroup>();
  return {
    add: (row: DetailLine, rowsIn: string): void => {
      const key = keyOf(row, rowsIn);
      const group = groups.get(key);
      groups.set(key, group ? joined(group, row) : { ...row, sales: 1, rowsIn });
    },
    /** All groups, in the order of their files. */
    all: (): readonly DetailGroup[] =>
      [...groups.values()].sort((left, right) =>
        left.rowsIn < right.rowsIn ? -1 : Number(left.rowsIn > right.rowsIn),
      ),
  };
};

const keyOf = (row: DetailLine, rowsIn: string): string => {
  const { businessDate, state, channel, status } = row;
  const reasons = row.reasons.map(({ code, amount }) => [code, Math.sign(amount)]);
  const isReversal = row.reasons.length > 0 && entryOf(row).isReversal;
  return JSON.stringify([rowsIn, businessDate, state, channel, status, reasons, isReversal]);
};

const SUMMED = ['gross', 'taxable', 'collected', 'expected', 'recorded'] as const;

const joined = (group: DetailGroup, row: DetailLine): DetailGroup => ({
  ...group,
  ...(Object.fromEntries(SUMMED.map((name) => [name, add(group[name], row[name])])) as Record<
    (typeof SUMMED)[number],
    Money
  >),
  reasons: group.reasons.map((reason, index) => ({
    ...reason,
    amount: add(reason.amount, row.reasons[index]?.amount ?? ZERO),
  })),
  sales: group.sales + 1,
});
