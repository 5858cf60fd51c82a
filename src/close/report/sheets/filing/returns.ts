import { type Money, subtract } from '../../../../kernel/money.ts';
import type { LineRole } from '../../../filing/law/return-form.ts';
import { amountOf, checkPasses, lineWithRole, type TaxReturn } from '../../../filing/return/tax-return.ts';
import { type Cell, formula } from '../../../workbook/cell.ts';
import { type Column, defineSheet } from '../../../workbook/sheet.ts';
import { returnSheetName, returnTable } from './return-sheet.ts';

/** The line of a role, live from the return's own sheet. */
const lineCell = (filed: TaxReturn, role: LineRole): Cell<'money'> => {
  const line = lineWithRole(filed.form, role);
  if (line === '') return undefined;
  const row = filed.form.lines.findIndex((each) => each.line === line);
  return formula((at) => at.cellAt(returnTable(filed), 'Amount', row), amountOf(filed.lines, role));
};

const amount = (
  title: string,
  value: (filed: TaxReturn) => Cell<'money'>,
  note?: string,
): Column<TaxReturn> => ({
  title,
  width: 15,
  format: 'money',
  value,
  total: 'sum',
  ...(note !== undefined && { note }),
});

const failing = ({ checks }: TaxReturn): readonly string[] =>
  checks.filter((check) => !checkPasses(check)).map(({ test }) => test);

/** One row per return: from sales to what is due. */
export const RETURNS = defineSheet<TaxReturn>({
  name: 'Returns',
  table: 'Returns',
  title: 'Returns',
  note: 'Total tax is that of the form: what is to be paid over by the remittance basis, use tax on own purchases, and what the form’s rounding makes of it (reason code R22).',
  freeze: { columns: 1 },
  paper: 'legal',
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ figures }) => figures.state },
    {
      title: 'Return',
      width: 26,
      format: 'text',
      value: returnSheetName,
      link: (filed) => ({ sheet: returnSheetName(filed) }),
    },
    { title: 'Basis', width: 11, format: 'status', value: ({ basis }) => basis },
    amount('Tax to pay over', ({ remittance }) => remittance),
    amount('Use tax', ({ useTax }) => useTax),
    amount('Form rounding', ({ rounding }) => rounding, 'Reason code R22.'),
    amount('Total tax', (filed) => lineCell(filed, 'tax')),
    amount('Discount', ({ discount }) => discount.claimed),
    amount('Prepayments', ({ prepayments }) => prepayments.used),
    amount('Credits', ({ credits }) => credits.used),
    amount('Due', (filed) => {
      const due = lineCell(filed, 'due');
      const over = lineWithRole(filed.form, 'overpayment');
      if (over === '') return due;
      const at = (role: LineRole): number =>
        filed.form.lines.findIndex(({ line }) => line === lineWithRole(filed.form, role));
      return formula(
        (to) =>
          to.difference(
            to.cellAt(returnTable(filed), 'Amount', at('due')),
            to.cellAt(returnTable(filed), 'Amount', at('overpayment')),
          ),
        difference(filed),
      );
    }),
    {
      title: 'Form agrees',
      width: 10,
      format: 'yes-no',
      value: (filed) => failing(filed).length === 0,
      flag: (filed) => (failing(filed).length === 0 ? undefined : 'attention'),
      note: 'Whether the form’s own rates and rounding give the tax of the sales.',
    },
    { title: 'What does not', width: 40, format: 'text', value: (filed) => failing(filed).join(' ') },
  ],
});

const difference = (filed: TaxReturn): Money =>
  subtract(amountOf(filed.lines, 'due'), amountOf(filed.lines, 'overpayment'));
