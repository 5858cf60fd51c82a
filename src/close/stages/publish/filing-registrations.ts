import { calendarDate } from '../../../kernel/calendar.ts';
import { type Money, parseMoney, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { FilingRegistration, Prepayments } from '../../filing/registration.ts';

type Registration = Configuration['registrations'][number];
type PaidBefore = Registration['prepayments'][number];

/** The registrations as filing knows them, with what was paid before for this period. */
export const filingRegistrations = (
  registrations: readonly Registration[],
  { label }: FilingPeriod,
): readonly FilingRegistration[] =>
  [...registrations]
    .sort((left, right) => (left.state < right.state ? -1 : 1))
    .map((registration) => ({
      state: registration.state,
      account: registration.account ?? '',
      since: calendarDate(registration.since),
      frequency: registration.frequency,
      ...(registration.basis !== undefined && { basis: registration.basis }),
      ...(registration.streamlinedId !== undefined && { streamlinedId: registration.streamlinedId }),
      locationCodes: registration.locationCodes,
      prepayments: paidFor(registration.prepayments, label),
      credits: paidFor(registration.credits, label),
      purchases: amount(registration.purchases.find(({ period }) => period === label)?.amount),
    }));

const paidFor = (rows: readonly PaidBefore[], label: string): Prepayments => {
  const row = rows.find(({ period }) => period === label);
  return { opening: amount(row?.opening), added: amount(row?.added) };
};

const amount = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;
