import {
  isAmountKnown,
  isPayable,
  type PayStatus,
  payByText,
  payMoment,
  paymentsIn,
  STATUS_TEXTS,
} from '../figures/pay-list.ts';
import { remittedOf, type UnreturnedRow } from '../figures/pay-todo.ts';
import type { ClosedReport } from '../figures/period-report.ts';
import { type ReturnDue, returnsDue } from '../figures/remittance.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { absolute, add, atLeastZero, formatMoney, type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import { type Filing, type FilingLine, filingOf } from '../periods/filings.ts';
import type { UnclosedReturn } from '../periods/unclosed.ts';
import { tableLines } from './print.ts';

/** A return as of a day. */
export type DatedReturn = Omit<ReturnDue, 'discount' | 'lastDay'> & {
  /** TO FILE, NOT DUE, NOTHING TO FILE, BLOCKED or FILED. */
  readonly word: string;
  /** The line of `filings.csv` that says that it was filed. */
  readonly filing: Filing | undefined;
  /** Whether its last day has passed, or had passed when it was filed or paid, and that day was seen in a source. */
  readonly isLate: boolean;
  /** The same of a last day that was not seen in a source. */
  readonly mayBeLate: boolean;
  /** The discount that a late return has lost; its amount does not include it. */
  readonly lost: Money;
};

/** What tells how a return stands: the day, what was filed, and whether its period is locked. */
type Standing = {
  readonly today: CalendarDate;
  readonly filings: readonly FilingLine[];
  readonly isLocked: boolean;
};

/** What is open in a locked period may stand: who locked it said why. */
const wordOf = (status: PayStatus, isLocked: boolean): string =>
  STATUS_TEXTS[isLocked && status === 'NOT READY' ? 'READY' : status].slice(2);

const datedReturn = (due: ReturnDue, period: string, standing: Standing): DatedReturn => {
  const { discount, lastDay, ...shown } = due;
  const filing = filingOf(standing.filings, period, due.key);
  const isOver = isPayable(due) && lastDay < (filing ? doneOn(filing) : standing.today);
  const isLate = isOver && due.isDateVerified;
  const lost = isLate ? discount : ZERO;
  const amount = add(due.amount, lost);
  const word = filing ? 'FILED' : wordOf(due.status, standing.isLocked);
  return { ...shown, word, filing, isLate, mayBeLate: isOver && !isLate, lost, amount };
};

/** Lateness goes by the later of filing and payment. */
const doneOn = ({ on, paidOn = on }: Filing): CalendarDate => (on < paidOn ? paidOn : on);

/** Returns the returns of a closed period as of a day. */
export const datedReturns = (report: ClosedReport, standing: Standing): readonly DatedReturn[] =>
  returnsDue(report).map((due) => datedReturn(due, report.period.label, standing));

/** The amounts due for a closed period. */
export type PeriodReturns = {
  readonly returns: readonly DatedReturn[];
  /** Tax collected in states without a return. */
  readonly unreturned: readonly UnreturnedRow[];
};

/** Whether a return is to be filed from its closed period, and was not yet. */
export const isUnfiled = ({ status, filing }: Pick<DatedReturn, 'status' | 'filing'>): boolean =>
  isPayable({ status }) && filing === undefined;

/** Sums the amounts due if filed and paid on time. A credit of one state does not reduce the amount of another. */
export const toPayOnTime = (report: ClosedReport): Money =>
  sum(
    returnsDue(report)
      .filter(isPayable)
      .map(({ amount }) => amount)
      .filter((amount) => amount > 0),
  );

const returnObject = (row: DatedReturn): object => {
  const { filing } = row;
  return {
    state: row.state,
    return: row.key,
    status: row.word,
    amount: isAmountKnown(row) ? formatMoney(row.amount) : null,
    pay_by: row.payBy,
    date_verified: row.isDateVerified,
    overdue: row.isLate && !filing,
    discount_lost: formatMoney(row.lost),
    filed: filing ? filingObject(filing) : null,
    blockers: row.blockers.map(({ code, what }) => ({ code, what })),
  };
};

/** Returns what was written down of a filed return as JSON. */
export const filingObject = ({
  on,
  confirmation,
  amount,
  paid,
  paidOn,
  penalty,
  interest,
  checked,
}: Omit<Filing, 'place'>): object => ({
  on,
  confirmation,
  amount: amount === undefined ? null : formatMoney(amount),
  paid: paid === undefined ? null : formatMoney(paid),
  paid_on: paidOn ?? null,
  penalty: penalty === undefined ? null : formatMoney(penalty),
  interest: interest === undefined ? null : formatMoney(interest),
  checked,
});

/** Formats a line per return with its amount and due date, the total, and the tax on none of the returns. */
export const returnLines = ({ returns, unreturned }: PeriodReturns): readonly string[] => [
  ...dueLines(returns),
  ...totalLines(returns.filter(isUnfiled)),
  ...lostLines(returns),
  ...unreturnedLines(unreturned),
];

const isFiled = ({ filing }: DatedReturn): boolean => filing !== undefined;

const dueLines = (returns: readonly DatedReturn[]): readonly string[] =>
  tableLines(
    returns.map((row) => [
      row.key,
      row.word,
      isAmountKnown(row) ? shownMoney(row.amount) : '',
      dateText(row),
      // The reasons are listed above in full.
      row.filing === undefined ? (row.blockers[0]?.code ?? '') : filingText(row.filing),
    ]),
  );

const filingText = ({
  on,
  confirmation,
  amount,
  paid,
  paidOn,
  penalty = ZERO,
  interest = ZERO,
}: Filing): string =>
  [
    `filed on ${on}`,
    ...(amount === undefined ? [] : [`with ${shownMoney(amount)}`]),
    confirmation,
    ...(penalty > ZERO || interest > ZERO
      ? [`penalty ${shownMoney(penalty)}, interest ${shownMoney(interest)}`]
      : []),
    ...(paid === undefined ? [] : [`${shownMoney(paid)} paid on ${paidOn}`]),
  ].join(', ');

const dateText = (row: DatedReturn): string => {
  if (row.status === 'UNCHANGED') return 'as filed before';
  return isAmountKnown(row) ? `${otherReturn(row)}${dayWords(row)} ${row.payBy}` : `see ${row.filingPeriod}`;
};

/** Names the return that includes the amount, if this one is not filed from the closed period. */
const otherReturn = ({ insteadOn, status, filingPeriod }: DatedReturn): string => {
  if (insteadOn !== undefined) return `on ${insteadOn}, `;
  return status === 'NOT DUE' ? `with ${filingPeriod}, ` : '';
};

/** Says by when to pay; a credit is not paid, but its return is filed. */
const dayWords = (row: DatedReturn): string => {
  const by = row.amount < ZERO ? 'file by' : 'pay by';
  if (row.mayBeLate && !isFiled(row)) return `may be overdue: ${by}`;
  if (!row.isLate) return by;
  return isFiled(row) ? `late: ${by} was` : `OVERDUE: ${by} was`;
};

/** Formats the total to pay, without returns that end in a credit. */
const totalLines = (due: readonly DatedReturn[]): readonly string[] => {
  const total = (rows: readonly DatedReturn[]): string =>
    shownMoney(sum(rows.map(({ amount }) => atLeastZero(amount))));
  const late = due.filter(({ isLate }) => isLate);
  if (due.length === 0) return [];
  const what = due.some(({ madeEarly }) => madeEarly !== undefined) ? 'So far' : 'To pay now';
  return [`${what}: ${total(due)}${late.length === 0 ? '' : `, of which ${total(late)} overdue`}`];
};

/** Describes the known cost of late payment. */
const lostLines = (returns: readonly DatedReturn[]): readonly string[] => {
  const lost = sum(returns.map((row) => row.lost));
  if (lost <= ZERO) return [];
  return [
    `${shownMoney(lost)} of discounts are lost when filed late; the amounts above are without them, and without penalty and interest.`,
  ];
};

/** Lists tax collected in states without a return, and tax given back there, which are not part of any total. */
const unreturnedLines = (rows: readonly UnreturnedRow[]): readonly string[] => {
  if (rows.length === 0) return [];
  const remitted = remittedOf(rows);
  const besides =
    remitted === ZERO
      ? ''
      : ` By decision, ${shownMoney(remitted)} of it is to be paid besides the amounts above.`;
  const listed = [...Map.groupBy(rows, ({ amount }) => (amount > ZERO ? 'Collected' : 'Given back'))].map(
    ([what, own]) =>
      `${what}, but on no return: ${own.map(({ state, amount }) => `${state} ${shownMoney(absolute(amount))}`).join(', ')}`,
  );
  return [`${listed.toSorted().join('. ')}; the sheet Pay says what to do.${besides}`];
};

const unreturnedObject = ({ state, amount, isRemitted, todo }: UnreturnedRow): object => ({
  state,
  amount: formatMoney(amount),
  to_remit: isRemitted,
  todo,
});

/** Returns the returns, and the tax on none of them, as JSON. */
export const returnObjects = ({ returns, unreturned }: PeriodReturns): object => ({
  returns: returns.map(returnObject),
  unreturned: unreturned.map(unreturnedObject),
});

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
      `first ${first.key} by ${first.payBy}`,
      ...(overdue > 0 ? [`${overdue} overdue`] : []),
      `\`tieout status ${report.period.label}\` lists them`,
    ].join('; '),
  ];
};

/** Lists the returns that no close has, period by period, as of a day. */
export const unclosedReturnLines = (
  returns: readonly UnclosedReturn[],
  today: CalendarDate,
): readonly string[] =>
  [...Map.groupBy(returns, headText)].flatMap(([head, own]) => [
    head,
    ...tableLines(
      own.map((each) => [each.key, each.form, dayText(each, today)]),
      ' '.repeat(19),
    ),
  ]);

const headText = ({ dueDate, isLockedOut }: UnclosedReturn): string => {
  const { label } = dueDate.period;
  const text = isLockedOut
    ? `locked before the registration: file these by themselves, or \`tieout unlock ${label} --reason TEXT\` and close it again`
    : `not closed: \`tieout close ${label}\` works out its returns`;
  return `${label.padEnd(18)} ${text}`;
};

const dayText = ({ dueDate }: UnclosedReturn, today: CalendarDate): string => {
  const moment = payMoment(dueDate);
  const late = moment.isVerified ? 'OVERDUE: pay by was' : 'may be overdue: pay by';
  return `${moment.date >= today ? 'pay by' : late} ${payByText(moment)}`;
};

/** Returns the same as JSON. */
export const unclosedObjects = (returns: readonly UnclosedReturn[], today: CalendarDate): readonly object[] =>
  returns.map(({ key, form, dueDate, isLockedOut }) => {
    const moment = payMoment(dueDate);
    return {
      period: dueDate.period.label,
      return: key,
      form,
      pay_by: payByText(moment),
      overdue: moment.date < today && moment.isVerified,
      date_verified: moment.isVerified,
      locked: isLockedOut,
    };
  });
