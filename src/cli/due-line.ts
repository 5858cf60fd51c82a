import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { isPayable } from '../close/figures/pay-list.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import { type Instant, zoneCalendar } from '../kernel/calendar.ts';
import { subtract, sum, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import { datedReturns } from './status-returns.ts';

/** What is to be paid for a closed period, and by when first; nothing where no return is due yet. */
export const dueLine = (
  report: PeriodReport,
  { registrations, timeZone }: Pick<LoadedConfiguration, 'registrations' | 'timeZone'>,
  { now, options }: { readonly now: Instant; readonly options: string },
): readonly string[] => {
  const today = zoneCalendar(timeZone).dateAt(now);
  const due = datedReturns(report, registrations, today).filter(isPayable);
  const [first] = due;
  if (!first) return [];
  const overdue = due.filter(({ isLate }) => isLate).length;
  const owed = due.filter(({ amount }) => amount > 0);
  const lost = sum(owed.map((row) => row.lost));
  const all = sum(owed.map(({ amount }) => amount));
  return [
    [
      `due: ${shownNumber(due.length, 'return')}, ${shownMoney(subtract(all, lost))} in all`,
      `first ${first.key} by ${first.payBy}`,
      ...(overdue > 0
        ? [
            `${overdue} overdue${lost === ZERO ? '' : `, so ${shownMoney(all)} to pay now: ${shownMoney(lost)} of discounts lost`}`,
          ]
        : []),
      `\`tieout status ${report.period.label}${options}\` lists them`,
    ].join('; '),
  ];
};
