import { type Money, subtract, sum } from '../../../../kernel/money.ts';
import { fullDay } from '../../../figures/day-words.ts';
import { leftOutTax, type PayList } from '../../../figures/pay-list.ts';
import { isHandedIn, type PeriodFiling, type StateReturn } from '../../../figures/period-filing.ts';
import type { PeriodReport } from '../../../figures/period-report.ts';
import { collectedUnreturned } from '../../../figures/unreturned.ts';
import { JOURNAL_LINES } from '../../../filing/journal/journal-lines.ts';
import { filedBefore } from '../../../filing/return/tax-return.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { formula } from '../../../workbook/cell.ts';
import type { Check } from '../../../workbook/checks-sheet.ts';
import { quoted } from '../../../workbook/references.ts';
import { defineSheet, filled } from '../../../workbook/sheet.ts';

/** Tax that was charged but is not on a return that is due now. */
type StillPayable = {
  readonly key: string;
  readonly amount: Money;
  readonly goesTo: string;
};

/**
 * Lists what the journal leaves in sales tax payable: tax of returns not due yet, and of states without a return; and what
 * the entries of shorter returns, and of the return that is amended, have taken out of it already.
 */
const stillPayable = (report: PeriodReport, { returns }: PeriodFiling): readonly StillPayable[] => [
  ...returns
    .filter((given) => !isHandedIn(given) && given.filed.figures.collected !== 0)
    .map((given) => ({
      key: returnKey(given.filed.figures),
      amount: given.filed.figures.collected,
      goesTo: laterReturn(given),
    })),
  ...returns.flatMap(({ filed }) => {
    const amended = filedBefore(filed);
    const before = [
      ...(filed.registration.completes?.returns ?? []),
      ...(amended ? [{ ...amended, period: amended.version }] : []),
    ];
    if (before.length === 0) return [];
    return {
      key: returnKey(filed.figures),
      amount: sum(before.map(({ collected }) => collected)),
      goesTo: `Taken out with the returns of ${before.map(({ period }) => period).join(', ')}`,
    };
  }),
  ...collectedUnreturned(
    report,
    returns.map(({ filed }) => filed.figures),
  ).map(({ state, collected }) => ({
    key: state,
    amount: collected,
    goesTo: 'On no return: see Pay',
  })),
];

/** Names the later return: `ST-50 of 2026-Q4, due Jan 20, 2027`. */
const laterReturn = ({ filed: { form, instead }, dueDate: own, coverage }: StateReturn): string => {
  if (coverage === 'several') return `${form.form} of each period of its own`;
  const { period, due } = instead?.dueDate ?? own;
  return `${instead?.form ?? form.form} of ${period.label}, due ${fullDay(due)}`;
};

const STILL_PAYABLE = defineSheet<StillPayable>({
  name: 'Still payable',
  table: 'Still_payable',
  title: 'Stays in sales tax payable',
  note: 'Tax charged in the period that no return takes now: no entry above moves it.',
  columns: [
    { title: 'State', width: 14, format: 'status', value: ({ key }) => key },
    { title: 'Goes to', width: 40, format: 'text', value: ({ goesTo }) => goesTo, wrap: true },
    { title: 'Tax charged', width: 15, format: 'money', value: ({ amount }) => amount, total: 'sum' },
  ],
});

/** Builds the table, with a note on the tax of the period that it does not include. */
export const stillPayableSheet = (report: PeriodReport, filing: PeriodFiling, { leftOut }: PayList) =>
  filled(
    leftOut.length === 0
      ? STILL_PAYABLE
      : {
          ...STILL_PAYABLE,
          note: `${STILL_PAYABLE.note} Without the records left out by decision (Pay): ${leftOutTax(leftOut)}.`,
        },
    stillPayable(report, filing),
  );

/** Checks that the amounts cleared from sales tax payable plus those that stay there equal all tax charged. */
export const payableCheck = (report: PeriodReport, filing: PeriodFiling): Check => {
  const charged = sum(report.states.map(({ collected }) => collected));
  const cleared = filing.journal.filter(({ line }) => line === 'payable');
  const account = { Account: quoted(JOURNAL_LINES.payable.account) };
  return {
    id: 'C09',
    test: 'What the journal takes out of Sales tax payable and what stays there are the tax collected in variance.xlsx.',
    format: 'money',
    left: formula(
      (at) =>
        at.difference(
          `${at.sumIfs('Journal', 'Debit', account)}+${at.sum('Still_payable', 'Tax charged')}`,
          at.sumIfs('Journal', 'Credit', account),
        ),
      sum([
        ...cleared.map(({ debit, credit }) => subtract(debit, credit)),
        ...stillPayable(report, filing).map(({ amount }) => amount),
      ]),
    ),
    right: charged,
    link: { sheet: 'Journal' },
  };
};
