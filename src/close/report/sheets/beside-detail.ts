import { add, ZERO } from '../../../kernel/money.ts';
import { NO_CERTIFICATE } from '../../certificates/sale-exemption.ts';
import { type DetailLine, LEFT_OUT } from '../../reconcile/detail-row.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';
import { counted, day, id, summed, word, words } from './columns.ts';
import { sourceOf } from './detail.ts';

/** A sale of Detail that is exempt. Amounts of refunds are negative. */
export type ExemptSale = Pick<
  DetailLine,
  'id' | 'businessDate' | 'state' | 'gross' | 'certificate' | 'relieved'
>;

/** Exempt sales that rely on the same certificate; of a period with too many sales for one sheet. */
type ExemptSum = Pick<ExemptSale, 'gross' | 'certificate' | 'relieved'> & { readonly sales: number };

const OF_CERTIFICATE: readonly Column<Pick<ExemptSale, 'gross' | 'certificate' | 'relieved'>>[] = [
  id('Certificate', 18, ({ certificate }) => certificate, {
    note: 'What the exemption relies on; `(none: decided)` where it stands without one by decision.',
    flag: ({ certificate }) => (certificate === NO_CERTIFICATE ? 'attention' : undefined),
  }),
  summed('Gross', 13, ({ gross }) => gross),
  summed('Tax relieved', 13, ({ relieved }) => relieved, {
    note: 'What the sale would have carried; blank where no one knows it.',
  }),
];

const NAMED = { name: 'Exempt sales', table: 'Exempt_sales', title: 'Exempt sales' } as const;

/** The exempt sales of a period, with the certificate that each relies on. */
export const EXEMPT_SALES = defineSheet<ExemptSale>({
  ...NAMED,
  columns: [
    id('Transaction', 18, ({ id }) => id),
    ...OF_CERTIFICATE,
    day('Business date', 12, ({ businessDate }) => businessDate),
    word('State', 7, ({ state }) => state),
  ],
});

/** The same, added up by certificate. */
export const EXEMPT_SUMS = defineSheet<ExemptSum>({
  ...NAMED,
  countedBy: 'Sales',
  columns: [...OF_CERTIFICATE, counted('Sales', 9, ({ sales }) => sales)],
});

/** Sums exempt sales by certificate. */
export const exemptGrouping = () => {
  const sums = new Map<string, ExemptSum>();
  return {
    push: ({ certificate, gross, relieved = ZERO }: ExemptSale): void => {
      const before = sums.get(certificate) ?? { certificate, gross: ZERO, relieved: ZERO, sales: 0 };
      sums.set(certificate, {
        certificate,
        gross: add(before.gross, gross),
        relieved: add(before.relieved ?? ZERO, relieved),
        sales: before.sales + 1,
      });
    },
    all: (): readonly ExemptSum[] => [...sums.values()],
  };
};

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
