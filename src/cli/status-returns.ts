import {
  isAmountKnown,
  isPayable,
  payByText,
  payMoment,
  paymentsIn,
  STATUS_TEXTS,
} from '../figures/pay-list.ts';
import type { UnreturnedRow } from '../figures/pay-todo.ts';
import type { ClosedReport } from '../figures/period-report.ts';
import { type ReturnDue, returnsDue } from '../figures/remittance.ts';
import { type CalendarDate, laterOf } from '../kernel/calendar.ts';
import { add, atLeastZero, formatMoney, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import {
  type Filing,
  type FilingLine,
  filingOf,
  type NewFiling,
  type UnclosedReturn,
} from '../periods/filings.ts';
import { tableLines } from './print.ts';

/** A return as of a day. Its amount includes a discount only if that is not lost. */
export type DatedReturn = ReturnDue & {
  /** TO FILE, NOT DUE, NOTHING TO FILE, BLOCKED or FILED. */
  readonly word: string;
  /** The line of `filings.csv` that says that it was filed. */
  readonly filing: Filing | undefined;
  /** Whether its last day has passed, or had passed when it was filed or paid, and that day was seen in a source. */
  readonly isLate: boolean;
  /** The discount that a late return has lost. */
  readonly lost: Money;
};

/** What tells how a return stands: the day, what was filed, and whether its period is locked. */
type Standing = {
  readonly today: CalendarDate;
  readonly filings: readonly FilingLine[];
  readonly isLocked: boolean;
};

/** Returns the returns of a closed period as of a day. Lateness goes by the later of filing and payment. */
export const datedReturns = (
  report: ClosedReport,
  { today, filings, isLocked }: Standing,
): readonly DatedReturn[] =>
  returnsDue(report).map((due) => {
    const { key, status, amount, kept, payBy, dueOn } = due;
    const filing = filingOf(filings, report.period.label, key);
    const { on = today, paidOn = on } = filing ?? {};
    const isAfter = laterOf(dueOn, payBy.date) < on || payBy.date < paidOn;
    const isLate = payBy.isVerified && isPayable(due) && isAfter;
    const lost = isLate ? atLeastZero(kept) : ZERO;
    // What is open in a locked period may stand: who locked it said why.
    const standing = isLocked && status === 'NOT READY' ? 'READY' : status;
    const word = filing ? 'FILED' : STATUS_TEXTS[standing].slice(2);
    return {
      ...due,
      word,
      filing,
      isLate,
      lost,
      amount: add(amount, lost),
    };
  });

/** The amounts due for a closed period. */
export type PeriodReturns = {
  readonly returns: readonly DatedReturn[];
  /** Tax collected in states without a return. */
  readonly unreturned: readonly UnreturnedRow[];
};

/** Whether a return is to be filed from its closed period, and was not yet. */
export const isUnfiled = ({ status, filing }: Pick<DatedReturn, 'status' | 'filing'>): boolean =>
  isPayable({ status }) && filing === undefined;

/** Sums amounts to pay. A credit of one state does not reduce the amount of another. */
const toPay = (rows: readonly Pick<ReturnDue, 'amount'>[]): Money =>
  sum(paymentsIn(rows).map(({ amount }) => amount));

/** Returns the returns, and the tax on none of them, as JSON. */
export const returnObjects = ({ returns, unreturned }: PeriodReturns): object => ({
  returns: returns.map((row) => ({
    state: row.state,
    return: row.key,
    status: row.word,
    amount: isAmountKnown(row) ? formatMoney(row.amount) : null,
    pay_by: payByText(row.payBy),
    date_verified: row.payBy.isVerified,
    overdue: row.isLate && !row.filing,
    discount_lost: formatMoney(row.lost),
    filed: row.filing ? filingObject(row.filing) : null,
    blockers: row.blockers.map(({ code, what }) => ({ code, what })),
  })),
  unreturned: unreturned.map(({ state, amount, isRemitted, todo }) => ({
    state,
    amount: formatMoney(amount),
    to_remit: isRemitted,
    todo,
  })),
});

const moneyOrNull = (amount: Money | undefined): string | null =>
  amount === undefined ? null : formatMoney(amount);

/** Returns what was written down of a filed return as JSON. */
export const filingObject = (filing: NewFiling & Partial<Filing>): object => ({
  on: filing.on,
  confirmation: filing.confirmation,
  amount: moneyOrNull(filing.amount),
  paid: moneyOrNull(filing.paid),
  paid_on: filing.paidOn ?? null,
  penalty: moneyOrNull(filing.penalty),
  interest: moneyOrNull(filing.interest),
});

/** Formats a line per return with its amount and due date, the total, and the tax on none of the returns. */
export const returnLines = ({ returns, unreturned }: PeriodReturns): readonly string[] => {
  const due = returns.filter(isUnfiled);
  const none = unreturned.map(
    ({ state, amount, isRemitted }) => `${state} ${shownMoney(amount)}${isRemitted ? ' (to remit)' : ''}`,
  );
  return [
    ...tableLines(
      returns.map((row) => [
        row.key,
        row.word,
        isAmountKnown(row) ? shownMoney(row.amount) : '',
        row.filing ? `filed on ${row.filing.on}, ${row.filing.confirmation}` : payText(row),
        row.lost > ZERO ? `without the discount of ${shownMoney(row.lost)}, which lateness loses` : '',
      ]),
    ),
    ...(due.length === 0 ? [] : [`To pay: ${shownMoney(toPay(due))}`]),
    ...(none.length === 0 ? [] : [`On no return: ${none.join(', ')}; the sheet Pay says what to do.`]),
  ];
};

const payText = ({ status, isLate, payBy, filingPeriod, blockers: [first] }: DatedReturn): string =>
  [
    ...(isLate ? ['OVERDUE'] : []),
    isAmountKnown({ status }) ? `pay by ${payByText(payBy)}` : `see ${filingPeriod}`,
    ...(first ? [first.code] : []),
  ].join(', ');

/** Describes the amount due for a closed period and its first due date; empty if no return is to be filed. */
export const dueLine = (report: ClosedReport, returns: readonly DatedReturn[]): readonly string[] => {
  const due = returns.filter(isUnfiled);
  const owed = paymentsIn(due);
  // Without a payment, the first return to file.
  const first = owed[0] ?? due[0];
  if (!first) return [];
  const overdue = due.filter(({ isLate }) => isLate).length;
  const all = sum(owed.map((row) => subtract(row.amount, row.lost)));
  return [
    [
      `due${report.madeEarly === undefined ? '' : ' so far'}: ${shownNumber(due.length, 'return')}, ${shownMoney(all)} in all`,
      `first ${first.key} by ${payByText(first.payBy)}`,
      ...(overdue > 0 ? [`${overdue} overdue`] : []),
      `\`tieout status ${report.period.label}\` lists them`,
    ].join('; '),
  ];
};

/** Lists the returns that no close has, as of a day. */
export const unclosedObjects = (returns: readonly UnclosedReturn[], today: CalendarDate) =>
  returns.map(({ key, dueDate }) => {
    const moment = payMoment(dueDate);
    const overdue = moment.date < today && moment.isVerified;
    return { period: dueDate.period.label, return: key, pay_by: payByText(moment), overdue };
  });

/** Lists the same for people. */
export const unclosedReturnLines = (
  returns: readonly UnclosedReturn[],
  today: CalendarDate,
): readonly string[] =>
  unclosedObjects(returns, today).map(
    (each) =>
      `${each.period.padEnd(18)} not closed: ${each.return}, ${each.overdue ? 'OVERDUE, ' : ''}pay by ${each.pay_by}; \`tieout close ${each.period}\` works it out (unlock it first if it is locked)`,
  );
