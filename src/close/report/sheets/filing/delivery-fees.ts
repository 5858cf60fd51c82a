import { type Money, money, ZERO } from '../../../../kernel/money.ts';
import type { StateReturn } from '../../../figures/period-filing.ts';
import { sourceText } from '../../../filing/law/law-row.ts';
import { type FeeFigures, returnKey } from '../../../filing/state-figures.ts';
import { formula } from '../../../workbook/cell.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

/** A fee with its days in the period and the number of orders that owe it, and the return it is due with. */
export type FeeRow = { readonly fee: FeeFigures; readonly due: StateReturn };

/** Builds a row for each fee of each registered state, and for each amount it had in the period. */
export const feeRows = (returns: readonly StateReturn[]): readonly FeeRow[] =>
  returns.flatMap((due) => due.filed.figures.fees.map((fee) => ({ fee, due })));

const owed = ({ rule, due }: FeeFigures): Money | undefined => (rule.amount === undefined ? undefined : due);

const namedOf = ({ notCharged, sales, chargedSales }: FeeFigures): string => {
  const more = sales - chargedSales - notCharged.length;
  return [...notCharged, ...(more > 0 && notCharged.length > 0 ? [`${more} more`] : [])].join(', ');
};

/** The lines of the returns on which fees on delivered sales are reported. */
export const DELIVERY_FEES = defineSheet<FeeRow>({
  name: 'Delivery fees',
  table: 'DeliveryFees',
  title: 'Fees for delivered sales',
  note: 'A fee is not tax: its return asks for it, beside the tax or alone. What the shop charged as a line of an order is in gross sales too. Orders are counted whose goods the state taxes; whether something was delivered, and whether the seller is large enough to owe the fee, no export says. Refunds take no fee back.',
  freeze: { columns: 2 },
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ fee }) => fee.rule.state },
    { title: 'Fee', width: 30, format: 'text', value: ({ fee }) => fee.rule.name },
    { title: 'Since', width: 12, format: 'date', value: ({ fee }) => fee.rule.from },
    { title: 'Orders that owe it', width: 11, format: 'count', value: ({ fee }) => fee.sales },
    {
      title: 'Fee each',
      width: 10,
      format: 'money',
      value: ({ fee }) => fee.rule.amount,
      flag: ({ fee }) => (fee.rule.amount === undefined ? 'attention' : undefined),
      note: 'Empty where no source shows the amount.',
    },
    {
      title: 'Fee due',
      width: 12,
      format: 'money',
      value: ({ fee }) => {
        const due = owed(fee);
        if (due === undefined) return undefined;
        return formula((at) => `${at.cell('Orders that owe it')}*${at.cell('Fee each')}`, due);
      },
      total: 'sum',
    },
    { title: 'Orders charged', width: 10, format: 'count', value: ({ fee }) => fee.chargedSales },
    { title: 'Charged', width: 12, format: 'money', value: ({ fee }) => fee.charged, total: 'sum' },
    {
      title: 'Charged less due',
      width: 12,
      format: 'money',
      value: ({ fee }) => {
        const due = owed(fee);
        if (due === undefined) return undefined;
        return formula((at) => `${at.cell('Charged')}-${at.cell('Fee due')}`, money(fee.charged - due));
      },
      flag: ({ fee }) => (fee.charged === (owed(fee) ?? ZERO) ? undefined : 'attention'),
    },
    {
      title: 'Charged above the fee',
      width: 12,
      format: 'money',
      value: ({ fee }) => fee.excess,
      note: 'Order by order; it is remitted as well. All that was charged where the amount of the fee is not known.',
      total: 'sum',
    },
    { title: 'Not charged', width: 30, format: 'text', value: ({ fee }) => namedOf(fee) },
    { title: 'Form', width: 12, format: 'text', value: ({ fee }) => fee.rule.return.form },
    { title: 'Return of its own', width: 10, format: 'yes-no', value: ({ fee }) => fee.rule.return.own },
    { title: 'Where', width: 44, format: 'text', value: ({ fee }) => fee.rule.return.where },
    { title: 'Due date', width: 12, format: 'date', value: ({ due }) => due.dueDate.due },
    { title: 'Return', width: 14, format: 'text', value: ({ due }) => returnKey(due.filed.figures) },
    {
      title: 'Limits',
      width: 60,
      format: 'text',
      value: ({ fee: { rule } }) => [rule.limits, rule.note].filter(Boolean).join(' '),
    },
    {
      title: 'Verified',
      width: 10,
      format: 'yes-no',
      value: ({ fee }) => fee.rule.verified !== false,
      flag: ({ fee }) => (fee.rule.verified === false ? 'attention' : undefined),
    },
    { title: 'Source', width: 60, format: 'text', value: ({ fee }) => sourceText(fee.rule.sources) },
  ],
});
