import { withPlaces } from '../ask/coverage.ts';
import type { PeriodSums } from '../evidence/period-sums.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import { inKeyOrder } from '../judge/period-totals.ts';
import { filingRegistrations, withCompletions } from '../periods/balances.ts';
import type { EarlierPeriods } from '../periods/earlier.ts';
import { statedFor } from '../periods/filings.ts';
import { creditsLeft, taxGivenBack } from '../periods/return-findings.ts';
import type { Close } from './reading.ts';

/** Gathers what the returns of a period take over from those before, and what follows from their figures. */
export const gatherReturns = (
  { ports, period, exports: { refunded } }: Pick<Close, 'ports' | 'period' | 'exports'>,
  earlier: EarlierPeriods,
  { refunds: { beyond }, filing, totals }: PeriodSums,
) => {
  const { registrations, completions, stated } = earlier;
  const taking = filingRegistrations(registrations, period, earlier.takenOver);
  const before = taking.map((one) => ({
    ...one,
    ...earlier.filedBefore.get(one.state),
    ...statedFor(one.state, stated),
  }));
  return {
    findings: [
      ...taxGivenBack(registrations, period, { ...earlier, beyond, filing, refunded }),
      ...creditsLeft(period, {
        returns: withCompletions(before, completions),
        filing,
        jurisdictions: inKeyOrder(totals.jurisdictions),
      }),
    ],
    /** Returns the registrations as the returns are drawn from them. */
    filed: (report: PeriodReport): readonly FilingRegistration[] =>
      withCompletions(withPlaces(before, report, ports), completions),
  };
};
