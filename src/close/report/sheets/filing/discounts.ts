import type { Money } from '../../../../kernel/money.ts';
import type { Rate } from '../../../../kernel/rate.ts';
import { sourceText } from '../../../filing/law/law-row.ts';
import { discountRounding, type TaxReturn } from '../../../filing/return/tax-return.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { formula } from '../../../workbook/cell.ts';
import { quoted, type References } from '../../../workbook/references.ts';
import { type Column, defineSheet } from '../../../workbook/sheet.ts';
import { expressionFormula, roleCell } from './return-formulas.ts';

const baseFormula = (filed: TaxReturn) => {
  const { discountBase } = filed.form;
  if (discountBase) return expressionFormula(filed, discountBase.expression, 'cents');
  return (at: References) => roleCell(filed, 'tax', at);
};

const countedBase = (at: References): string =>
  `MAX(0,${at.cell('Base')})*${at.cell('Part of')}/${at.cell('Part in')}`;

/** Formula of the discount by the tiers: the counted part of the base up to the end of the first tier, and above it. */
const computed = (at: References): string => {
  const base = countedBase(at);
  const end = at.cell('First tier to');
  const first = `IF(${end}=0,${base},MIN(${base},${end}))`;
  const rest = `IF(${end}=0,0,MAX(0,${base}-${end}))`;
  return `ROUND(${first}*${at.cell('Rate')}+${rest}*${at.cell('Rate above')},2)`;
};

const allowed = (at: References): string => {
  const [amount, least, cap] = [at.cell('Computed'), at.cell('At least'), at.cell('At most')];
  const raised = `MAX(${amount},${least})`;
  const capped = `IF(${at.cell('Capped')}=${quoted('Yes')},MIN(${raised},${cap}),${raised})`;
  return `IF(${at.cell('Given')}=${quoted('Yes')},MIN(${capped},ROUND(${countedBase(at)},2)),0)`;
};

const money = (title: string, value: (filed: TaxReturn) => Money | undefined): Column<TaxReturn> => ({
  title,
  width: 13,
  format: 'money',
  value,
});

const rate = (title: string, value: (filed: TaxReturn) => Rate | undefined): Column<TaxReturn> => ({
  title,
  width: 13,
  format: 'rate',
  value,
});

/** Whether the state gives a discount on this return at all, including its limit on the taxable amount. */
const isGiven = ({ discount, figures }: TaxReturn): boolean =>
  discount.rule !== undefined &&
  (discount.rule.taxableMax === undefined || figures.taxable <= discount.rule.taxableMax);

const whyOf = ({ discount }: TaxReturn): string =>
  [discount.why, discount.rule?.cap?.note, discount.rule?.note].filter(Boolean).join(' ');

/** The timely-filing discounts, with the steps of their computation. */
export const DISCOUNTS = defineSheet<TaxReturn>({
  name: 'Discounts',
  table: 'Discounts',
  title: 'Timely-filing discounts',
  note: 'Worked out on the assumption that the return is filed and paid on time. A rule that is not verified is shown and not claimed.',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 14, format: 'status', value: ({ figures }) => returnKey(figures) },
    {
      title: 'Claimed',
      width: 13,
      format: 'money',
      value: ({ discount }) => discount.claimed,
      formula: (at) =>
        `IF(${at.cell('Verified')}=${quoted('Yes')},ROUND(${at.cell('Allowed')},IF(${at.cell('Rounded to')}=${quoted('dollars')},0,2)),0)`,
      total: 'sum',
    },
    {
      title: 'Base',
      width: 14,
      format: 'money',
      value: (filed) => formula(baseFormula(filed), filed.discount.base),
    },
    { title: 'Why', width: 40, format: 'text', value: whyOf },
    {
      title: 'Source',
      width: 44,
      format: 'text',
      value: ({ discount }) => sourceText(discount.rule?.sources ?? []),
    },
    { title: 'Given', width: 8, format: 'yes-no', value: isGiven },
    { title: 'Part of', width: 8, format: 'count', value: ({ discount }) => discount.rule?.part.of ?? 1 },
    { title: 'Part in', width: 8, format: 'count', value: ({ discount }) => discount.rule?.part.in ?? 1 },
    money('First tier to', ({ discount }) => discount.rule?.tiers[0]?.upTo),
    rate('Rate', ({ discount }) => discount.rule?.tiers[0]?.rate),
    rate('Rate above', ({ discount }) => discount.rule?.tiers[1]?.rate),
    money('At least', ({ discount }) => discount.rule?.least),
    { title: 'Capped', width: 9, format: 'yes-no', value: ({ discount }) => discount.cap !== undefined },
    money('At most', ({ discount }) => discount.cap),
    {
      title: 'Computed',
      width: 13,
      format: 'money',
      value: ({ discount }) => discount.computed,
      formula: computed,
    },
    {
      title: 'Allowed',
      width: 13,
      format: 'money',
      value: ({ discount }) => discount.allowed,
      formula: allowed,
    },
    {
      title: 'Verified',
      width: 10,
      format: 'yes-no',
      value: ({ discount }) => discount.rule !== undefined && discount.rule.verified !== false,
    },
    {
      title: 'Rounded to',
      width: 10,
      format: 'status',
      value: ({ form }) => discountRounding(form),
      note: 'As the form rounds its line for the discount.',
    },
  ],
});
