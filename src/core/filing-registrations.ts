import { frequencyOn } from '../configuration/registration.ts';
import type { Configuration } from '../configuration/schema.ts';
import type { ContentCoverage } from '../contract/tax-service.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { type Money, parseMoney, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { isPartOf, type Taken } from '../periods/balances.ts';

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
  takenOver: ReadonlyMap<string, Taken>,
): readonly FilingRegistration[] =>
  registrations
    .filter(({ since }) => since <= period.last)
    .toSorted((left, right) => (left.state < right.state ? -1 : 1))
    .map((registration) => ({
      state: registration.state,
      account: registration.account ?? '',
      since: calendarDate(registration.since),
      frequency: frequencyOn(registration.frequency, period.last),
      ...(registration.basis !== undefined && { basis: registration.basis }),
      ...(registration.localTax !== undefined && { localTax: registration.localTax }),
      localReturns: registration.localReturns,
      ...(registration.deliveryFee !== undefined && { deliveryFee: registration.deliveryFee }),
      locationCodes: registration.locationCodes,
      purchases: sum(
        registration.purchases.filter((row) => isPartOf(row.period, period)).map((row) => amount(row.amount)),
      ),
      ...takenOver.get(registration.state),
    }));

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

const amount = (text: string | undefined): Money => parseMoney(text ?? '0') ?? ZERO;
