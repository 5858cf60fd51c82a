import { amendedPeriod } from '../../../kernel/amended-version.ts';
import { calendarDate } from '../../../kernel/calendar.ts';
import { type Money, parseMoney, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { type PeriodReport, statesBefore } from '../../figures/period-report.ts';
import type { FilingRegistration, Prepayments } from '../../filing/registration.ts';

type Registration = Configuration['registrations'][number];
type PaidBefore = Registration['prepayments'][number];

/** The amounts that a period leaves to the next. */
type LeftOver = { readonly prepaymentsLeft: Money; readonly creditsLeft: Money };

/**
 * Returns the registrations with a return for a period: those that began by its end. Each has the amounts paid in
 * advance for the period; an amended version has those of the period that it amends. If the configuration does not state
 * the opening amount, it is what the previous period left over.
 */
export const filingRegistrations = (
  registrations: readonly Registration[],
  report: PeriodReport,
): readonly FilingRegistration[] => {
  const { last }: FilingPeriod = report.period;
  const label = amendedPeriod(report.period.label);
  const left = leftBefore(report);
  return registrations
    .filter(({ since }) => since <= last)
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
      prepayments: paidFor(registration.prepayments, label, left.get(registration.state)?.prepaymentsLeft),
      credits: paidFor(registration.credits, label, left.get(registration.state)?.creditsLeft),
      purchases: amount(registration.purchases.find(({ period }) => period === label)?.amount),
    }));
};

/** Returns what the previous period left over, by state. */
const leftBefore = (report: PeriodReport): ReadonlyMap<string, LeftOver> =>
  new Map(statesBefore(report).flatMap(({ state, filed }) => (filed ? [[state, filed] as const] : [])));

const paidFor = (rows: readonly PaidBefore[], label: string, left: Money = ZERO): Prepayments => {
  const row = rows.find(({ period }) => period === label);
  return { opening: row?.opening === undefined ? left : amount(row.opening), added: amount(row?.added) };
};

const amount = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;
