import type { FilingPeriod } from '../../kernel/period.ts';
import { formFor } from '../filing/filing-law.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import type { PeriodReport } from './period-report.ts';

/** Returns the states whose returns of the period take the tax collected there, and not only the tax due. */
export const statesRemitting = (
  registrations: PeriodReport['registrations'],
  { last }: FilingPeriod,
): ReadonlySet<string> =>
  new Set(
    registrations
      .filter(({ since }) => since <= last)
      .filter(({ state, frequency, basis }) => {
        const { rule } = formFor(loadFilingLaw(), { state, kind: 'state', name: '' }, frequency, last).basis;
        return (basis ?? rule) !== 'expected';
      })
      .map(({ state }) => state),
  );
