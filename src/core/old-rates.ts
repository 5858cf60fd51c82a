import type { PeriodReport } from '../close/figures/period-report.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the registered states of these whose local rates are not known for the last day of the period. */
export const oldRatesOf = (
  { service, configuration }: ClosePorts,
  { last }: FilingPeriod,
  states: PeriodReport['states'],
): PeriodReport['oldRates'] =>
  states
    .filter(({ state }) => configuration.registrations.some((each) => each.state === state))
    .flatMap(({ state }) => {
      const known = service.coverage?.spanOf(state, last);
      return known === undefined ? [] : [{ state, known }];
    });
