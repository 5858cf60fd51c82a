import { add, type Money, ZERO } from '../../../kernel/money.ts';
import type { DetailLine } from '../../reconcile/detail-row.ts';
import { entryOf } from '../../sales/corrections.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { DETAIL, markingReversals } from './detail.ts';

/** Rows of Detail, summed because no total of the book distinguishes them, and the file that lists them. */
export type DetailGroup = DetailLine & {
  readonly sales: number;
  readonly rowsIn: string;
  /** Whether they are reversals with reasons, which the bridge counts on the other side. */
  readonly isReversal: boolean;
};

/** The columns of Detail that the book's totals use. */
const ASKED: ReadonlySet<string> = new Set([
  ...['Business date', 'State', 'Kind', 'Channel', 'Posted', 'Status', 'Certificate'],
  ...['Gross', 'Taxable', 'Collected', 'Expected', 'Recorded', 'Variance', 'Tax relieved'],
  ...['Gross not posted', 'Tax not posted'],
  ...['Reason', 'Reason amount', 'Second reason', 'Second amount', 'Third reason', 'Third amount'],
]);

/** Detail of a period with too many sales for one sheet: the index of the files that list them, with sums. */
export const DETAIL_GROUPS = defineSheet<DetailGroup>({
  name: 'Detail',
  table: 'Detail',
  title: 'Detail: sums of the files that list every order and refund',
  note: 'The folder detail has a file for each state and day, with a row for each order and refund. A row here adds up those of one file that are alike in all that the totals of this book ask.',
  freeze: { columns: 1 },
  pagesWide: 2,
  countedBy: 'Sales',
  columns: [
    { title: 'File', width: 26, format: 'text', value: ({ rowsIn }) => rowsIn },
    { title: 'Sales', width: 9, format: 'count', value: ({ sales }) => sales, total: 'sum' },
    ...DETAIL.columns.filter(({ title }) => ASKED.has(title)),
  ],
});

/** The same of a period with reversals that have reasons. */
export const GROUPS_WITH_REVERSALS = markingReversals(DETAIL_GROUPS, ({ isReversal }) => isReversal);

/** Sums rows in groups. */
export const detailGrouping = () => {
  const groups = new Map<string, DetailGroup>();
  return {
    add: (row: DetailLine, rowsIn: string): void => {
      const isReversal = row.reasons.length > 0 && entryOf(row).isReversal;
      const key = keyOf(row, rowsIn, isReversal);
      const group = groups.get(key);
      groups.set(key, group ? joined(group, row) : { ...row, ...NO_PLACE, sales: 1, rowsIn, isReversal });
    },
    /** All groups, in the order of their files. */
    all: (): readonly DetailGroup[] =>
      [...groups.values()].sort((left, right) =>
        left.rowsIn < right.rowsIn ? -1 : Number(left.rowsIn > right.rowsIn),
      ),
  };
};

/** Fields of a single sale, which are blank in a group. */
const NO_PLACE = {
  key: '',
  id: '',
  reference: '',
  record: '',
  file: '',
  line: 0,
  detail: '',
} as const;

const keyOf = (row: DetailLine, rowsIn: string, isReversal: boolean): string => {
  const { businessDate, state, kind, channel, isPosted, status, certificate } = row;
  const reasons = row.reasons.map(({ code, amount }) => [code, Math.sign(amount)]);
  const sale = [businessDate, state, kind, channel, isPosted, status, certificate];
  return JSON.stringify([rowsIn, ...sale, reasons, isReversal]);
};

const SUMMED = ['gross', 'taxable', 'collected', 'expected', 'recorded'] as const;

const joined = (group: DetailGroup, row: DetailLine): DetailGroup => ({
  ...group,
  ...(Object.fromEntries(SUMMED.map((name) => [name, add(group[name], row[name])])) as Record<
    (typeof SUMMED)[number],
    Money
  >),
  relieved: row.relieved === undefined ? group.relieved : add(row.relieved, group.relieved ?? ZERO),
  reasons: group.reasons.map((reason, index) => ({
    ...reason,
    amount: add(reason.amount, row.reasons[index]?.amount ?? ZERO),
  })),
  sales: group.sales + 1,
});
