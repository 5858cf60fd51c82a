import { formatMoney, type Money } from '../../../kernel/money.ts';
import { type PeriodReport, totalOf } from '../../figures/period-report.ts';
import { type DetailLine, varianceOf } from '../../reconcile/detail-row.ts';
import { hasReversals, type StatedReason } from '../../reconcile/period-totals.ts';
import type { REASONS_MAX } from '../../reconcile/reason.ts';
import { entryOf } from '../../sales/corrections.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet, type TableSheet } from '../../workbook/sheet.ts';
import { day, id, money, summed, word, words, yesNo } from './columns.ts';

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

const amount = (
  title: string,
  width: number,
  value: (row: DetailLine) => Money | undefined,
  note?: string,
): Column<DetailLine> => ({
  title,
  width,
  format: 'money',
  value,
  total: 'sum',
  ...(note !== undefined && { note }),
});

type Sums = Pick<PeriodReport, 'states'> & {
  readonly reasons: readonly Pick<StatedReason, 'reversed' | 'thirds'>[];
};

/** Returns a width that fits the largest total of some figures. */
const widthFor = (report: Pick<Sums, 'states'>, least: number, figure: 'gross' | 'collected'): number =>
  Math.max(least, formatMoney(totalOf(report, figure)).length + 2);

/** Every order and refund that is posted, from which all totals are summed. */
export const detailOf = (report: Sums): TableSheet<DetailLine> => {
  const [sales, tax] = [widthFor(report, 10, 'gross'), widthFor(report, 9, 'collected')];
  return defineSheet({
    name: 'Detail',
    table: 'Detail',
    title: 'Detail: every order and refund that is posted',
    note: 'A sale without reason and status ties out. Not posted: on Inputs. Exempt sales: on Certificates.',
    empty: 'Nothing is posted in the period.',
    freeze: { columns: 1 },
    columns: [
      id('Transaction', 12.5, (row) => row.id, { note: 'The id under which the tax service holds it.' }),
      day('Business date', 10, (row) => row.businessDate),
      word('State', 6, (row) => row.state),
      words('Place', 18, ({ city, zip }) => `${city} ${zip}`.trim()),
      amount('Gross', sales, (row) => row.gross, 'Goods and shipping after discounts, without tax.'),
      amount('Taxable', sales, (row) => row.taxable),
      amount('Collected', tax, (row) => row.collected, 'What the shop charged.'),
      amount('Expected', tax, (row) => row.expected, 'Recomputed as of the day of the sale.'),
      money('Recorded', tax, ({ recorded, collected }) => (recorded === collected ? undefined : recorded), {
        note: 'What the tax service holds, where it is not what was collected.',
      }),
      summed('Variance', tax, varianceOf, {
        formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      }),
      ...reasonPlaces(report.reasons).flatMap((place, index): readonly Column<DetailLine>[] => [
        { title: place.reason, width: 7, format: 'status', value: (row) => row.reasons[index]?.code },
        amount(place.amount, 8, (row) => row.reasons[index]?.amount),
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
const REVERSAL: Column<DetailLine> = yesNo(
  'Reversal',
  9,
  (row) => (row.reasons.length > 0 && entryOf(row).isReversal ? true : undefined),
  {
    note: 'Takes a filed version of a record off the books: its figures have the other sign, its reasons among them.',
  },
);

/** Formula of the tax that the service holds of some rows: what was collected, but where Recorded has another amount. */
export const recordedFormula = (at: References, where: Readonly<Record<string, string>> = {}): string => {
  const differs = { ...where, Recorded: quoted('<>') };
  const collected =
    Object.keys(where).length === 0 ? at.sum('Detail', 'Collected') : at.sumIfs('Detail', 'Collected', where);
  return `ROUND(${collected}-${at.sumIfs('Detail', 'Collected', differs)}+${at.sumIfs('Detail', 'Recorded', differs)},2)`;
};
