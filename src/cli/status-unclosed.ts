import { type PayBy, payByText, payMoment } from '../close/figures/pay-list.ts';
import type { UnclosedReturn } from '../close/periods/unclosed-returns.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { textTable } from './text-table.ts';

/** Lists the returns of longer periods that were not closed, period by period, as of a day. */
export const unclosedReturnLines = (
  returns: readonly UnclosedReturn[],
  today: CalendarDate,
): readonly string[] =>
  [...Map.groupBy(returns, ({ dueDate }) => dueDate.period.label)].flatMap(([label, own]) => [
    `${label.padEnd(18)} not closed: \`tieout close ${label}\` works out its returns`,
    ...textTable(own.map((each) => [each.key, each.form, dayText(each, today)]))
      .trimEnd()
      .split('\n')
      .map((line) => `${' '.repeat(18)} ${line}`),
  ]);

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
  returns.map(({ key, form, dueDate }) => {
    const moment = payMoment(dueDate);
    return {
      ...{ period: dueDate.period.label, return: key, form },
      ...{ pay_by: payByText(moment), overdue: moment.date < today && moment.isVerified },
      date_verified: moment.isVerified,
    };
  });
