import { frequencyOn } from '../close/configuration/registration.ts';
import type { Configuration } from '../close/configuration/schema.ts';
import type { PeriodReport } from '../close/figures/period-report.ts';
import type { FilingRegistration, Prepayments } from '../close/filing/registration.ts';
import type { ContentCoverage } from '../contract/tax-service.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { type Money, money, parseMoney, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import {
  type Account,
  isPartOf,
  type StatedBalance,
  statedBalance,
  type Taken,
  type TakenOver,
} from '../periods/balances.ts';

type Registration = Configuration['registrations'][number];

/**
 * Returns the registrations with a return for a period: those that began by its end. Each has the amounts paid in
 * advance for the period; an amended version has those of the period that it amends. If the configuration does not state
 * the opening amount, it is what it takes over from an earlier period. In the states with a cap on discounts by the year,
 * each has what other returns of the year claimed.
 */
export const filingRegistrations = (
  registrations: readonly Registration[],
  period: FilingPeriod,
  takenOver: TakenOver,
): readonly FilingRegistration[] => {
  const paid = (registration: Registration, account: Account): Prepayments =>
    paidFor(statedBalance(registration, account, period), account, takenOver.states[registration.state]);
  return registrations
    .filter(({ since }) => since <= period.last)
    .toSorted((left, right) => (left.state < right.state ? -1 : 1))
    .map((registration) => ({
      state: registration.state,
      account: registration.account ?? '',
      since: calendarDate(registration.since),
      frequency: frequencyOn(registration.frequency, period.last),
      ...(registration.basis !== undefined && { basis: registration.basis }),
      ...(registration.streamlinedId !== undefined && { streamlinedId: registration.streamlinedId }),
      ...(registration.localTax !== undefined && { localTax: registration.localTax }),
      localReturns: registration.localReturns,
      ...(registration.deliveryFee !== undefined && { deliveryFee: registration.deliveryFee }),
      locationCodes: registration.locationCodes,
      prepayments: paid(registration, 'prepayments'),
      credits: paid(registration, 'credits'),
      purchases: sum(
        registration.purchases.filter((row) => isPartOf(row.period, period)).map((row) => amount(row.amount)),
      ),
      ...discountsOf(takenOver.states[registration.state]),
    }));
};

/** Return registrations with the bodies whose rates, used in the period, rest on secondary sources. */
export const withSecondary = (
  registrations: readonly FilingRegistration[],
  { jurisdictions, period }: Pick<PeriodReport, 'jurisdictions' | 'period'>,
  coverage: ContentCoverage | undefined,
): readonly FilingRegistration[] =>
  registrations.map((registration) => {
    const taxes = jurisdictions.filter(({ state }) => state === registration.state);
    const secondary = coverage?.secondaryAmong(registration.state, period.last, taxes);
    return { ...registration, ...(secondary && { secondary }) };
  });

const discountsOf = (
  taken: Taken | undefined,
): Pick<FilingRegistration, 'discountsThisYear' | 'discountsNotKnown'> => {
  if (taken?.discounts === undefined) return {};
  const periods = Object.entries(taken.discounts);
  return {
    discountsThisYear: sum(periods.map(([, claimed]) => money(claimed ?? 0))),
    discountsNotKnown: periods.filter(([, claimed]) => claimed === null).map(([label]) => label),
  };
};

const paidFor = (
  { opening, added }: StatedBalance,
  account: Account,
  taken: Taken | undefined,
): Prepayments => {
  const usedLater = taken?.usedLater?.[account];
  return {
    opening: opening ?? money(taken?.[account] ?? 0),
    added,
    ...(usedLater !== undefined && { usedLater: money(usedLater) }),
  };
};

const amount = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;
