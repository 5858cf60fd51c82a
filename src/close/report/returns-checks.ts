import { type Money, money, subtract, sum } from '../../kernel/money.ts';
import { amountOf, checkPasses, type TaxReturn } from '../filing/return/tax-return.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import type { PeriodFiling } from './period-filing.ts';
import { deductionRows } from './sheets/filing/deductions.ts';

/** A form in whole dollars rounds discount, prepayments and credits once more, by half a dollar each. */
const WHOLE_DOLLARS = 150;

const total = (returns: readonly TaxReturn[], amount: (filed: TaxReturn) => Money): Money =>
  sum(returns.map(amount));

/** What must hold of the returns and all that follows from them, live over their sheets. */
export const returnsChecks = ({ returns, uploads, journal }: PeriodFiling): readonly Check[] => {
  const filed = returns.map((each) => each.filed);
  const tax = total(filed, ({ lines }) => amountOf(lines, 'tax'));
  const paidOver = total(filed, ({ remittance, useTax, rounding }) => sum([remittance, useTax, rounding]));
  const remitted = total(filed, ({ remittance }) => remittance);
  const kept = total(filed, ({ discount, prepayments, credits }) =>
    sum([discount.claimed, prepayments.used, credits.used]),
  );
  const due = total(filed, ({ lines }) => subtract(amountOf(lines, 'due'), amountOf(lines, 'overpayment')));
  const deductions = sum(deductionRows(filed).map(({ amount }) => amount));
  const failing = uploads.flatMap(({ checks }) => checks).filter((check) => !checkPasses(check)).length;
  return [
    {
      id: 'C03',
      test: 'The tax of the returns is what is to be paid over, use tax and form rounding (R22).',
      format: 'money',
      left: formula((at) => at.sum('Returns', 'Total tax'), tax),
      right: formula(
        (at) =>
          `ROUND(${['Tax to pay over', 'Use tax', 'Form rounding'].map((title) => at.sum('Returns', title)).join('+')},2)`,
        paidOver,
      ),
      link: { sheet: 'Returns' },
    },
    {
      id: 'C04',
      test: 'What is due is the tax of the returns less discounts, prepayments and credits, but for forms in whole dollars.',
      format: 'money',
      left: formula((at) => at.sum('Returns', 'Due'), due),
      right: formula(
        (at) =>
          `ROUND(${at.sum('Returns', 'Total tax')}-${at.sum('Discounts', 'Claimed')}-${at.sum('Prepayments', 'Used')},2)`,
        subtract(tax, kept),
      ),
      tolerance: WHOLE_DOLLARS * filed.filter(({ form }) => form.rounding === 'dollars').length,
      link: { sheet: 'Returns' },
    },
    {
      id: 'C05',
      test: 'The deductions lead from the gross sales of the summary to its taxable amount.',
      format: 'money',
      left: formula((at) => at.sum('Deductions', 'Amount'), deductions),
      right: formula(
        (at) => at.difference(at.sum('Summary', 'Gross sales'), at.sum('Summary', 'Taxable amount')),
        total(filed, ({ figures }) => subtract(figures.gross, figures.taxable)),
      ),
      link: { sheet: 'Deductions' },
    },
    {
      id: 'C06',
      test: 'The debits of the journal are its credits.',
      format: 'money',
      left: formula((at) => at.sum('Journal', 'Debit'), sum(journal.map(({ debit }) => debit))),
      right: formula((at) => at.sum('Journal', 'Credit'), sum(journal.map(({ credit }) => credit))),
      link: { sheet: 'Journal' },
    },
    {
      id: 'C07',
      test: 'The totals of the upload files are lines of their returns.',
      format: 'count',
      left: formula((at) => at.sum('Upload_files', 'Checks that fail'), failing),
      right: money(0),
      link: { sheet: 'Upload files' },
    },
    {
      id: 'C08',
      test: 'What-if starts from what the returns pay over.',
      format: 'money',
      left: formula((at) => at.sum('What_if', 'As filed'), remitted),
      right: formula((at) => at.sum('Returns', 'Tax to pay over'), remitted),
      link: { sheet: 'What-if' },
    },
  ];
};
