import { add, ZERO } from '../../../kernel/money.ts';
import { NO_CERTIFICATE } from '../../certificates/sale-exemption.ts';
import type { DetailLine } from '../../reconcile/detail-row.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';

/** A sale of Detail that is exempt. Amounts of refunds are negative. */
export type ExemptSale = Pick<
  DetailLine,
  'id' | 'businessDate' | 'state' | 'gross' | 'certificate' | 'relieved'
>;

/** Exempt sales that rely on the same certificate; of a period with too many sales for one sheet. */
type ExemptSum = Pick<ExemptSale, 'gross' | 'certificate' | 'relieved'> & { readonly sales: number };

const OF_CERTIFICATE: readonly Column<Pick<ExemptSale, 'gross' | 'certificate' | 'relieved'>>[] = [
  {
    title: 'Certificate',
    width: 18,
    format: 'id',
    value: ({ certificate }) => certificate,
    note: 'What the exemption relies on; `(none: decided)` where it stands without one by decision.',
    flag: ({ certificate }) => (certificate === NO_CERTIFICATE ? 'attention' : undefined),
  },
  { title: 'Gross', width: 13, format: 'money', value: ({ gross }) => gross, total: 'sum' },
  {
    title: 'Tax relieved',
    width: 13,
    format: 'money',
    value: ({ relieved }) => relieved,
    total: 'sum',
    note: 'What the sale would have carried; blank where no one knows it.',
  },
];

const NAMED = { name: 'Exempt sales', table: 'Exempt_sales', title: 'Exempt sales' } as const;

/** The exempt sales of a period, with the certificate that each relies on. */
export const EXEMPT_SALES = defineSheet<ExemptSale>({
  ...NAMED,
  columns: [
    { title: 'Transaction', width: 18, format: 'id', value: ({ id }) => id },
    ...OF_CERTIFICATE,
    { title: 'Business date', width: 12, format: 'date', value: ({ businessDate }) => businessDate },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
  ],
});

/** The same, added up by certificate. */
export const EXEMPT_SUMS = defineSheet<ExemptSum>({
  ...NAMED,
  countedBy: 'Sales',
  columns: [
    ...OF_CERTIFICATE,
    { title: 'Sales', width: 9, format: 'count', value: ({ sales }) => sales, total: 'sum' },
  ],
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
