import { amendedPeriod } from '../../../kernel/amended-version.ts';
import { calendarDate } from '../../../kernel/calendar.ts';
import { type Money, money, parseMoney, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { FilingRegistration, Prepayments } from '../../filing/registration.ts';
import type { Account, TakenOver } from '../../periods/balances-taken-over.ts';

type Registration = Configuration['registrations'][number];
type PaidBefore = Registration['prepayments'][number];

/**
 * Returns the registrations with a return for a period: those that began by its end. Each has the amounts paid in
 * advance for the period; an amended version has those of the period that it amends. If the configuration does not state
 * the opening amount, it is what it takes over from an earlier period.
 */
export const filingRegistrations = (
  registrations: readonly Registration[],
  period: FilingPeriod,
  taken: TakenOver,
): readonly FilingRegistration[] => {
  const label = amendedPeriod(period.label);
  const leftTo = (state: string, account: Account): Money => money(taken.states[state]?.[account] ?? 0);
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
      prepayments: paidFor(registration.prepayments, label, leftTo(registration.state, 'prepayments')),
      credits: paidFor(registration.credits, label, leftTo(registration.state, 'credits')),
      purchases: amount(registration.purchases.find(({ period }) => period === label)?.amount),
    }));
};

const paidFor = (rows: readonly PaidBefore[], label: string, left: Money): Prepayments => {
  const row = rows.find(({ period }) => period === label);
  return { opening: row?.opening === undefined ? left : amount(row.opening), added: amount(row?.added) };
};

const amount = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;
