import { isPayable } from '../close/figures/pay-list.ts';
import { isOverdue, type ReturnDue, returnsDue } from '../close/figures/returns-due.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { add, formatMoney, type Money, sum, ZERO } from '../kernel/money.ts';
import { shownMoney } from '../kernel/shown-figures.ts';
import { textTable } from './text-table.ts';

/** A return and whether its last day is over; one that was filed is no longer here, since its period is locked. */
export type DatedReturn = Omit<ReturnDue, 'discount' | 'lastDay'> & {
  readonly isOverdue: boolean;
  /** The discount that an overdue return has lost; its amount is without it. */
  readonly lost: Money;
};

const datedReturn = ({ discount, ...due }: ReturnDue, today: CalendarDate): DatedReturn => {
  const { lastDay: _, ...shown } = due;
  const lost = isOverdue(due, today) ? discount : ZERO;
  return { ...shown, isOverdue: isOverdue(due, today), lost, amount: add(due.amount, lost) };
};

type Due = Parameters<typeof returnsDue>;

/** The returns of a closed period as they stand on a day. */
export const datedReturns = (
  report: Due[1],
  registrations: Due[2],
  today: CalendarDate,
): readonly DatedReturn[] =>
  returnsDue(loadFilingLaw(), report, registrations).map((due) => datedReturn(due, today));

/** What the returns of a closed period ask to pay, if filed and paid on time. The credit of one state does not reduce what another asks. */
export const toPayOnTime = (report: Due[1], registrations: Due[2]): Money =>
  sum(
    returnsDue(loadFilingLaw(), report, registrations)
      .filter(isPayable)
      .map(({ amount }) => amount)
      .filter((amount) => amount > 0),
  );

/** A return for scripts. */
export const returnObject = ({
  state,
  key,
  status,
  amount,
  payBy,
  isOverdue,
  lost,
  blockers,
}: DatedReturn): object => ({
  ...{ state, return: key },
  status,
  amount: formatMoney(amount),
  pay_by: payBy,
  overdue: isOverdue,
  discount_lost: formatMoney(lost),
  blockers: blockers.map(({ code, what }) => ({ code, what })),
});

/** A line for each return: what to pay by when, and what stands in the way; below them the total and what lateness costs. */
export const returnLines = (returns: readonly DatedReturn[]): readonly string[] => [
  ...tableLines(returns),
  ...totalLines(returns.filter(isPayable)),
  ...lostLines(returns),
];

const tableLines = (returns: readonly DatedReturn[]): readonly string[] =>
  textTable(
    returns.map(({ key, status, amount, payBy, insteadOn, isOverdue, blockers }) => [
      key,
      status,
      shownMoney(amount),
      `${insteadOn === undefined ? '' : `on ${insteadOn}, `}${isOverdue ? 'OVERDUE: pay by was' : 'pay by'} ${payBy}`,
      // The causes stand above, in full.
      blockers[0]?.code ?? '',
    ]),
  )
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');

/** What is to be paid now, without returns that end in a credit. */
const totalLines = (due: readonly DatedReturn[]): readonly string[] => {
  const total = (rows: readonly DatedReturn[]): Money =>
    sum(rows.map(({ amount }) => amount).filter((amount) => amount > ZERO));
  const overdue = due.filter((row) => row.isOverdue);
  if (due.length === 0) return [];
  return [
    `To pay now: ${shownMoney(total(due))}${overdue.length === 0 ? '' : `, of which ${shownMoney(total(overdue))} overdue`}`,
  ];
};

/** What lateness costs, as far as the books know it. */
const lostLines = (returns: readonly DatedReturn[]): readonly string[] => {
  if (!returns.some(({ isOverdue }) => isOverdue)) return [];
  const lost = sum(returns.map((due) => due.lost));
  return [
    ...(lost === ZERO
      ? []
      : [`${shownMoney(lost)} of discounts are lost when filed late; overdue amounts are without them.`]),
    'Penalty and interest for filing late are not in these amounts.',
  ];
};
