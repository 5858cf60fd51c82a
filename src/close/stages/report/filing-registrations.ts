import { amendedPeriod } from '../../../kernel/amended-version.ts';
import { calendarDate } from '../../../kernel/calendar.ts';
import { type Money, money, parseMoney, sum, ZERO } from '../../../kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { FilingRegistration, Prepayments } from '../../filing/registration.ts';
import type { Account, Taken, TakenOver } from '../../periods/taken-over.ts';

type Registration = Configuration['registrations'][number];
type PaidBefore = Registration['prepayments'][number];

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
  const label = amendedPeriod(period.label);
  const paid = (registration: Registration, account: Account): Prepayments =>
    paidFor(registration[account], label, account, takenOver.states[registration.state]);
  return registrations
    .filter(({ since }) => since <= period.last)
    .toSorted((left, right) => (left.state < right.state ? -1 : 1))
    .map((registration) => ({
      state: registration.state,
      account: registration.account ?? '',
      since: calendarDate(registration.since),
      frequency: registration.frequency,
      ...(registration.basis !== undefined && { basis: registration.basis }),
      ...(registration.streamlinedId !== undefined && { streamlinedId: registration.streamlinedId }),
      ...(registration.localTax !== undefined && { localTax: registration.localTax }),
      localReturns: registration.localReturns,
      ...(registration.deliveryFee !== undefined && { deliveryFee: registration.deliveryFee }),
      locationCodes: registration.locationCodes,
      prepayments: paid(registration, 'prepayments'),
      credits: paid(registration, 'credits'),
      purchases: sum(
        registration.purchases.filter((row) => isWithin(row.period, period)).map((row) => amount(row.amount)),
      ),
      ...discountsOf(takenOver.states[registration.state]),
    }));
};

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
  rows: readonly PaidBefore[],
  label: string,
  account: Account,
  taken: Taken | undefined,
): Prepayments => {
  const row = rows.find(({ period }) => period === label);
  const usedLater = taken?.usedLater?.[account];
  return {
    opening: row?.opening === undefined ? money(taken?.[account] ?? 0) : amount(row.opening),
    added: amount(row?.added),
    ...(usedLater !== undefined && { usedLater: money(usedLater) }),
  };
};

/** Whether a stated period is this one or a part of it, such as a month of a quarter. */
const isWithin = (stated: string, { first, last }: FilingPeriod): boolean => {
  const period = parsePeriod(stated);
  return period !== undefined && period.first >= first && period.last <= last;
};

const amount = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;
