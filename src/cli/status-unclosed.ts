import { type PayBy, payByText, payMoment } from '../close/figures/pay-list.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { UnclosedReturn } from '../periods/unclosed.ts';
import { textTable } from './text-table.ts';

/** Lists the returns that no close has, period by period, as of a day. */
export const unclosedReturnLines = (
  returns: readonly UnclosedReturn[],
  today: CalendarDate,
): readonly string[] =>
  [...Map.groupBy(returns, headText)].flatMap(([head, own]) => [
    head,
    ...textTable(own.map((each) => [each.key, each.form, dayText(each, today)]))
      .trimEnd()
      .split('\n')
      .map((line) => `${' '.repeat(18)} ${line}`),
  ]);

const headText = ({ dueDate, isLockedOut }: UnclosedReturn): string => {
  const { label } = dueDate.period;
  const text = isLockedOut
    ? `locked before the registration: file these by themselves, or ${closeAgainText(label)}`
    : `not closed: \`tieout close ${label}\` works out its returns`;
  return `${label.padEnd(18)} ${text}`;
};

/** Says how a period that was locked without a return gets it. */
export const closeAgainText = (label: string, options = ''): string =>
  `remove the lock (\`tieout unlock ${label} --reason "…"${options}\`) and close ${label} again`;

const dayText = (of: UnclosedReturn, today: CalendarDate): string => {
  const moment = payMoment(of.dueDate);
  return `${dayWords(moment, today)} ${payByText(moment)}`;
};

const dayWords = ({ date, isVerified }: PayBy, today: CalendarDate): string => {
  if (date >= today) return 'pay by';
  return isVerified ? 'OVERDUE: pay by was' : 'may be overdue: pay by';
};

/** Returns the same as JSON. */
export const unclosedObjects = (returns: readonly UnclosedReturn[], today: CalendarDate): readonly object[] =>
  returns.map(({ key, form, dueDate, isLockedOut }) => {
    const moment = payMoment(dueDate);
    return {
      ...{ period: dueDate.period.label, return: key, form },
      ...{ pay_by: payByText(moment), overdue: moment.date < today && moment.isVerified },
      date_verified: moment.isVerified,
      locked: isLockedOut,
    };
  });
