import type { CalendarDate } from '../../kernel/calendar.ts';
import { atLeastZero, lesser, type Money, negate, subtract, ZERO } from '../../kernel/money.ts';
import { dueDateOf } from '../filing/dates.ts';
import { dueDateRuleFor, type FilingLaw } from '../filing/filing-law.ts';
import { type FilingRegistration, frequencyOf } from '../filing/registration.ts';
import { completedIn, longerReturn } from '../filing/return-of.ts';
import { type ReadinessReason, reasonsOf } from '../reconcile/readiness.ts';
import { byMoment, isPayable, type PayStatus, payByText, payMoment, payStatus } from './pay-list.ts';
import { coveredBy } from './period-filing.ts';
import type { ClosedReport } from './period-report.ts';
import type { Remittance } from './remittance.ts';

/** A return of a closed period, as on the sheet Pay. */
export type ReturnDue = {
  readonly state: string;
  /** The key of the return in the workbooks. */
  readonly key: string;
  readonly status: PayStatus;
  /** The day of the books, if the closed period was not over then. */
  readonly madeEarly: ClosedReport['madeEarly'];
  /** The period of the return. */
  readonly filingPeriod: string;
  /** Whether its tax was filed with the return of the longer period: nothing is paid with this one. */
  readonly isOnLocked: boolean;
  readonly amount: Money;
  /** The discount that the amount includes for filing and paying on time. */
  readonly discount: Money;
  /** What prepayments and credits that are left would take of the discount if it is lost. */
  readonly coveredDiscount: Money;
  readonly payBy: string;
  /** The form that includes the tax if the state does not require this return. */
  readonly insteadOn: string | undefined;
  /** Whether the date of the payment was seen in a source. */
  readonly isDateVerified: boolean;
  /** The last day on which a payment is on time. */
  readonly lastDay: CalendarDate;
  /** The reasons why it is not ready. */
  readonly blockers: readonly ReadinessReason[];
};

/**
 * Computes the returns of a period from what its close recorded, in the order of the sheet Pay.
 *
 * @param registrations how often returns are filed, for closes before this was recorded
 */
export const returnsDue = (
  law: FilingLaw,
  report: ClosedReport,
  registrations: readonly Pick<FilingRegistration, 'state' | 'frequency' | 'localReturns'>[],
): readonly ReturnDue[] =>
  report.remittances
    .flatMap((remittance) => {
      const { state, key, due, filedBefore } = remittance;
      const { madeEarly } = report;
      const amount = subtract(due, filedBefore?.due ?? ZERO);
      const registration = registrations.find((row) => row.state === state);
      const own = remittance.frequency ?? (registration && frequencyOf(registration, remittance));
      if (own === undefined) return [];
      const frequency = completedIn(law, remittance, own, report.period)?.frequency ?? own;
      const { firstMonth } = dueDateRuleFor(law, remittance, frequency, report.period.last);
      const since = report.registrations.find((row) => row.state === state)?.since ?? report.period.first;
      const { filing, coverage } = coveredBy(report.period, { frequency, since }, firstMonth);
      const instead = remittance.isRequired
        ? undefined
        : longerReturn(law, remittance, frequency, report.period.last);
      const moment = payMoment(instead?.dueDate ?? dueDateOf(law, remittance, frequency, filing));
      const blockers = reasonsOf(report.readiness, state);
      const status = payStatus({ ...remittance, coverage, madeEarly }, blockers);
      const discount = subtract(negate(remittance.discount), filedBefore?.discount ?? ZERO);
      return [
        {
          ...{ state, key, status, madeEarly, amount, discount, payBy: moment, insteadOn: instead?.form },
          ...{
            lastDay: moment.date,
            isDateVerified: moment.isVerified,
            blockers,
            filingPeriod: filing.label,
            isOnLocked: remittance.isOnLocked ?? false,
          },
          coveredDiscount: lesser(discount, atLeastZero(remittance.left ?? ZERO)),
        },
      ];
    })
    .sort(byMoment)
    .map((due) => ({ ...due, payBy: payByText(due.payBy) }));

/** Returns what a close recorded of the returns of exactly its period, which are filed from it. */
export const ownReturns = (...given: Parameters<typeof returnsDue>): readonly Remittance[] => {
  const due = returnsDue(...given).filter((each) => isPayable(each) || each.status === 'UNCHANGED');
  const keys = new Set(due.map(({ key }) => key));
  const [, { remittances }] = given;
  return remittances.filter(({ key }) => keys.has(key));
};
