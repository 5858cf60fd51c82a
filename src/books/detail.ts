import { NO_CERTIFICATE } from '../certificates/certificate.ts';
import { type PeriodReport, totalOf } from '../figures/period-report.ts';
import { type DetailLine, LEFT_OUT, varianceOf } from '../judge/detail-row.ts';
import { hasReversals, type ReasonTotals } from '../judge/period-totals.ts';
import type { REASONS_MAX } from '../judge/reason.ts';
import type { RefundLink } from '../judge/refund-link.ts';
import { add, addRow, formatMoney, ZERO } from '../kernel/money.ts';
import { compareText } from '../kernel/text.ts';
import { entryOf } from '../sales/sale-name.ts';
import { type Column, defineSheet, type TableSheet } from '../workbook/sheet.ts';
import { counted, day, id, money, summed, word, words, yesNo } from './parts.ts';

/** The column pairs of Detail that can hold a reason: one for each that a sale can have. */
export const REASON_PLACES = [
  { reason: 'Reason', amount: 'Reason amount' },
  { reason: 'Second reason', amount: 'Second amount' },
  { reason: 'Third reason', amount: 'Third amount' },
] as const satisfies { readonly length: typeof REASONS_MAX };

/** Returns the places that a period needs: hardly one has a sale with three reasons. */
export const reasonPlaces = (reasons: Sums['reasons']) =>
  reasons.some(({ thirds = 0 }) => thirds > 0) ? REASON_PLACES : REASON_PLACES.slice(0, 2);

/** Statuses that need no further work: the columns beside them say the same. */
const SETTLED: ReadonlySet<DetailLine['status']> = new Set(['tied out', 'explained']);

type Sums = Pick<PeriodReport, 'states'> & {
  readonly reasons: readonly Pick<ReasonTotals, 'reversed' | 'thirds'>[];
};

/** Returns a width that fits the largest total of some figures. */
const widthFor = (report: Pick<Sums, 'states'>, least: number, figure: 'gross' | 'collected'): number =>
  Math.max(least, formatMoney(totalOf(report, figure)).length + 2);

/** Every order and refund that is posted, from which all totals are summed. */
export const detailOf = (report: Sums): TableSheet<DetailLine> => {
  const sales = widthFor(report, 10, 'gross');
  const tax = widthFor(report, 9, 'collected');
  return defineSheet({
    name: 'Detail',
    table: 'Detail',
    title: 'Detail: every order and refund that is posted',
    note: 'A sale without reason and status ties out. Expected: recomputed as of the day of the sale. Recorded: where it is not what was collected. Not posted: on Inputs. Exempt sales: on Certificates.',
    empty: 'Nothing is posted in the period.',
    freeze: { columns: 1 },
    columns: [
      id('Transaction', 12.5, (row) => row.id),
      day('Business date', 10, (row) => row.businessDate),
      word('State', 6, (row) => row.state),
      words('Place', 18, ({ city, zip }) => `${city} ${zip}`.trim()),
      summed('Gross', sales, (row) => row.gross),
      summed('Taxable', sales, (row) => row.taxable),
      summed('Collected', tax, (row) => row.collected),
      summed('Expected', tax, (row) => row.expected),
      money('Recorded', tax, ({ recorded, collected }) => (recorded === collected ? undefined : recorded)),
      summed('Variance', tax, varianceOf, {
        formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      }),
      ...reasonPlaces(report.reasons).flatMap((place, index): readonly Column<DetailLine>[] => [
        word(place.reason, 7, (row) => row.reasons[index]?.code),
        summed(place.amount, 8, (row) => row.reasons[index]?.amount),
      ]),
      word('Status', 10, ({ status }) => (SETTLED.has(status) ? undefined : status), {
        flag: ({ status }) => (SETTLED.has(status) ? undefined : 'attention'),
      }),
      words('Proof', 32, (row) => row.reasons.map(({ proof }) => proof).join('; ') || row.detail, {
        wrap: true,
      }),
      words('Channel', 8, (row) => row.channel),
      words('File and line', 21, sourceOf, { wrap: true }),
      ...(hasReversals(report.reasons) ? [REVERSAL] : []),
    ],
  });
};

/** Names the export and the line of a row, `orders.csv:12`; the line is 0 where it is about the whole file. */
export const sourceOf = ({ file, line }: Pick<DetailLine, 'file' | 'line'>): string =>
  line === 0 ? file : `${file}:${line}`;

/** Marks reversals. Only books with reversals that have reasons need it: the sides of the reasons go by it. */
const REVERSAL: Column<DetailLine> = yesNo('Reversal', 9, (row) =>
  row.reasons.length > 0 && entryOf(row).isReversal ? true : undefined,
);

/** Rows of Detail, summed because no total of the book distinguishes them, and the file that lists them. */
export type DetailGroup = DetailLine & {
  readonly sales: number;
  readonly rowsIn: string;
};

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
      if (group) groups.set(key, { ...group, reasons: joined(group, row) });
      addRow(groups, key, { ...row, sales: 1, rowsIn }, SUMMED);
    },
    /** All groups, in the order of their files. */
    all: (): readonly DetailGroup[] =>
      [...groups.values()].sort((left, right) => compareText(left.rowsIn, right.rowsIn)),
  };
};

const keyOf = (row: DetailLine, rowsIn: string): string => {
  const { businessDate, state, channel, status } = row;
  const reasons = row.reasons.map(({ code, amount }) => [code, Math.sign(amount)]);
  const isReversal = row.reasons.length > 0 && entryOf(row).isReversal;
  return JSON.stringify([rowsIn, businessDate, state, channel, status, reasons, isReversal]);
};

const SUMMED = ['gross', 'taxable', 'collected', 'expected', 'recorded', 'sales'] as const;

/** Adds up the reasons of a group and of a row, which are the same ones. */
const joined = ({ reasons }: DetailGroup, row: DetailLine): DetailGroup['reasons'] =>
  reasons.map((reason, index) => ({
    ...reason,
    amount: add(reason.amount, row.reasons[index]?.amount ?? ZERO),
  }));

/** A sale of Detail that is exempt. Amounts of refunds are negative. */
export type ExemptSale = Pick<
  DetailLine,
  'id' | 'businessDate' | 'state' | 'gross' | 'certificate' | 'relieved'
>;

/** The exempt sales of a period, with the certificate that each relies on. */
export const EXEMPT_SALES = defineSheet<ExemptSale>({
  name: 'Exempt sales',
  columns: [
    id('Transaction', 18, ({ id }) => id),
    id('Certificate', 18, ({ certificate }) => certificate, {
      flag: ({ certificate }) => (certificate === NO_CERTIFICATE ? 'attention' : undefined),
    }),
    summed('Gross', 13, ({ gross }) => gross),
    summed('Tax relieved', 13, ({ relieved }) => relieved),
    day('Business date', 12, ({ businessDate }) => businessDate),
    word('State', 7, ({ state }) => state),
  ],
});

/** The orders and refunds of the period that are in no figure of the books, with what their exports state of them. */
export const NOT_POSTED = defineSheet<DetailLine>({
  name: 'Not posted',
  table: 'Not_posted',
  title: 'Not posted: what no figure of the books counts',
  note: 'Amounts as the export states them.',
  columns: [
    id('Transaction', 14, ({ id }) => id),
    words('Channel', 11, ({ channel }) => channel),
    day('Business date', 11, ({ businessDate }) => businessDate),
    word('State', 7, ({ state }) => state),
    summed('Gross', 11, ({ gross }) => gross),
    summed('Tax', 10, ({ collected }) => collected),
    word('Status', 17, ({ status }) => status, {
      flag: ({ status }) => (status === LEFT_OUT ? undefined : 'attention'),
    }),
    words('File and line', 21, sourceOf, { wrap: true }),
  ],
});

const remarkOf = ({ orderTotal, isOverRefund, isPosted }: RefundLink): string | undefined =>
  [
    orderTotal === undefined && 'its order is missing',
    isOverRefund && 'more than the order',
    !isPosted && 'not posted',
  ]
    .filter(Boolean)
    .join(', ') || undefined;

/** The refunds of the period and the orders they belong to. */
export const REFUND_LINKS = defineSheet<RefundLink>({
  name: 'Refunds',
  table: 'Refunds',
  title: 'Refunds: each refund and the order it belongs to',
  note: 'A refund counts in the period in which it was paid back, at the law of its order’s day.',
  columns: [
    id('Refund', 20, ({ id }) => id),
    id('Order', 12, ({ order }) => order),
    day('Refund date', 11, ({ refundDate }) => refundDate),
    word('State', 7, ({ state }) => state),
    day('Order date', 11, ({ orderDate }) => orderDate),
    summed('Refunded', 10, ({ refunded, isReplaced }) => (isReplaced ? ZERO : refunded)),
    words('Remark', 64, remarkOf, {
      flag: (link) => (remarkOf(link) === undefined ? undefined : 'attention'),
    }),
    words('File and line', 43, sourceOf),
    summed('Tax relieved', 13, ({ taxRelieved, isReplaced }) => (isReplaced ? ZERO : taxRelieved)),
    money('Order total', 14, ({ orderTotal }) => orderTotal),
  ],
});
