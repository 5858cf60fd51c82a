import { type Money, subtract, sum } from '../../../../kernel/money.ts';
import { fullDay } from '../../../figures/day-words.ts';
import { leftOutTax, type PayList } from '../../../figures/pay-list.ts';
import { collectedUnreturned } from '../../../figures/pay-todo.ts';
import {
  isHandedIn,
  isOnLockedReturn,
  type PeriodFiling,
  type StateReturn,
} from '../../../figures/period-filing.ts';
import type { PeriodReport } from '../../../figures/period-report.ts';
import { filingPeriodOf } from '../../../filing/dates.ts';
import { JOURNAL_LINES, type JournalEntry } from '../../../filing/journal.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { filedBefore } from '../../../filing/tax-return.ts';
import { formula, quoted } from '../../../workbook/cell.ts';
import type { Check } from '../../../workbook/checks-sheet.ts';
import { defineSheet, filled, type TableSheet } from '../../../workbook/sheet.ts';
import { summed, word, words } from '../parts.ts';

/** Tax that was charged but that the entries of the journal do not move. */
type NotMoved = {
  readonly key: string;
  readonly amount: Money;
  readonly goesTo: string;
};

/** Lists what the journal leaves in sales tax payable: tax of returns not due yet, and of states without a return. */
const stillPayable = (report: PeriodReport, { returns }: PeriodFiling): readonly NotMoved[] => [
  ...returns
    .filter((given) => !isHandedIn(given) && !isOfOtherCloses(given) && given.filed.figures.collected !== 0)
    .map((given) => ({
      key: returnKey(given.filed.figures),
      amount: given.filed.figures.collected,
      goesTo: laterReturn(given),
    })),
  ...collectedUnreturned(
    report,
    returns.map(({ filed }) => filed.figures),
  ).map(({ state, collected }) => ({
    key: state,
    amount: collected,
    goesTo: 'On no return: see Pay',
  })),
];

/**
 * Whether the tax of a return is cleared by the journals of other closes: it is of each of several periods of its own,
 * or was filed with the longer return.
 */
const isOfOtherCloses = (given: StateReturn): boolean => {
  const { registration, instead } = given.filed;
  const isOnLonger = registration.isOnLonger === true && instead !== undefined;
  return given.coverage === 'several' || isOnLonger || isOnLockedReturn(given);
};

/** Lists the tax that the journals of other closes take out of sales tax payable. */
const onOtherReturns = ({ returns }: PeriodFiling): readonly NotMoved[] =>
  returns
    .filter((given) => isOfOtherCloses(given) && given.filed.figures.collected !== 0)
    .map((given) => ({
      key: returnKey(given.filed.figures),
      amount: given.filed.figures.collected,
      goesTo: given.coverage === 'several' ? returnsWithin(given) : laterReturn(given),
    }));

/** Lists what the entries of shorter returns, and of the return that is amended, have taken out of it already. */
const takenOutBefore = ({ returns }: PeriodFiling): readonly NotMoved[] =>
  returns.flatMap(({ filed }) => {
    const amended = filedBefore(filed);
    const before = [
      ...(filed.registration.completes?.returns ?? []),
      ...(amended ? [{ ...amended, period: amended.version }] : []),
    ];
    if (before.length === 0) return [];
    return {
      key: returnKey(filed.figures),
      amount: sum(before.map(({ collected }) => collected)),
      goesTo: before.map(({ period }) => period).join(', '),
    };
  });

/** Names the later return: `ST-50 of 2026-Q4, due Jan 20, 2027`. */
const laterReturn = ({ filed: { form, instead }, dueDate: own }: StateReturn): string => {
  const { period, due } = instead?.dueDate ?? own;
  return `${instead?.form ?? form.form} of ${period.label}, due ${fullDay(due)}`;
};

/**
 * Names the returns of the periods within the closed one: `ST-9 of 2026-07 to 2026-09`. The tax of a state is one sum,
 * which also has that of days before the first of them.
 */
const returnsWithin = ({
  filed: { form, figures, registration },
  dueDate: { rule, period },
}: StateReturn): string => {
  const last = filingPeriodOf(figures.period.last, registration.frequency, rule.firstMonth);
  const forms = form.required && form.completedBy ? `${form.form} or ${form.completedBy.form}` : form.form;
  const hasEarlier = period.first > figures.period.first;
  return [
    `${forms} of ${period.label}${last.first > period.first ? ` to ${last.label}` : ''}`,
    ...(hasEarlier
      ? [`tax charged before ${fullDay(period.first)} is on no return: see Pay of its month`]
      : []),
  ].join('; ');
};

/** Defines a table of tax that no entry moves; `where` heads the words on where it goes. */
const notMovedTable = (name: string, title: string, where: string, note: string): TableSheet<NotMoved> =>
  defineSheet<NotMoved>({
    ...{ name, title, note },
    columns: [
      word('State', 14, ({ key }) => key),
      words(where, 40, ({ goesTo }) => goesTo, { wrap: true }),
      summed('Tax charged', 15, ({ amount }) => amount),
    ],
  });

const STILL_PAYABLE = notMovedTable(
  'Still payable',
  'Stays in sales tax payable',
  'Goes to',
  'Tax charged in the period that no return takes now: no entry above moves it.',
);
const TAKEN_OUT = notMovedTable(
  'Taken out before',
  'Taken out of sales tax payable before',
  'With the returns of',
  'Tax charged in the period that the entries of earlier returns have moved already: nothing of it stays.',
);
const OTHER_RETURNS = notMovedTable(
  'On other returns',
  'On returns of other periods',
  'Goes with',
  'Tax charged in the period that leaves Sales tax payable with the journals of other periods: book it from there.',
);

/** Builds the table of the tax that other closes clear, if there is any. */
export const otherReturnsSheets = (filing: PeriodFiling) => {
  const rows = onOtherReturns(filing);
  return rows.length === 0 ? [] : [filled(OTHER_RETURNS, rows)];
};

/** Builds the table of what was taken out before, if anything was. */
export const takenOutSheets = (filing: PeriodFiling) => {
  const rows = takenOutBefore(filing);
  return rows.length === 0 ? [] : [filled(TAKEN_OUT, rows)];
};

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

/** Checks that the amounts cleared, here and by other closes, plus those that stay payable equal all tax charged. */
export const payableCheck = (report: PeriodReport, filing: PeriodFiling): Check => {
  const charged = sum(report.states.map(({ collected }) => collected));
  const cleared = filing.journal.filter(({ line }) => line === 'payable');
  const before = takenOutBefore(filing);
  const others = onOtherReturns(filing);
  const account = { Account: quoted(JOURNAL_LINES.payable.account) };
  const parts = [
    'What the journal takes out of Sales tax payable',
    ...(before.length === 0 ? [] : ['what was taken out before']),
    ...(others.length === 0 ? [] : ['what goes with returns of other periods']),
  ];
  return {
    id: 'C09',
    test: `${parts.join(', ')} and what stays there are the tax collected in variance.xlsx.`,
    format: 'money',
    left: formula(
      (at) =>
        at.difference(
          [
            at.sumIfs('Journal', 'Debit', account),
            at.sum('Still_payable', 'Tax charged'),
            ...(before.length === 0 ? [] : [at.sum('Taken_out_before', 'Tax charged')]),
            ...(others.length === 0 ? [] : [at.sum('On_other_returns', 'Tax charged')]),
          ].join('+'),
          at.sumIfs('Journal', 'Credit', account),
        ),
      sum([
        ...cleared.map(({ debit, credit }) => subtract(debit, credit)),
        ...[...stillPayable(report, filing), ...before, ...others].map(({ amount }) => amount),
      ]),
    ),
    right: charged,
    link: { sheet: 'Journal' },
  };
};

/** The journal entries of the returns, for the seller's ledger. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  note: 'Entries of the returns that are filed now; what stays in Sales tax payable is listed below. Of a return that is filed late, credit the discount to Due to tax authority instead, or to Prepaid sales tax or Sales tax credits where these pay it.',
  columns: [
    word('State', 8, ({ state }) => state),
    words('Account', 40, ({ line }) => JOURNAL_LINES[line].account),
    summed('Debit', 15, ({ debit }) => debit || undefined),
    summed('Credit', 15, ({ credit }) => credit || undefined),
    words('What for', 56, ({ memo }) => memo),
  ],
});
