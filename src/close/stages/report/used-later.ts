import { isAmendmentLabel } from '../../../kernel/amended-version.ts';
import type { FilingFigures } from '../../figures/filing-figures.ts';
import { mostAdded } from '../../figures/pay-change.ts';
import { filingOf, isHandedIn } from '../../figures/period-filing.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import { type FilingRegistration, type Prepayments, registrationFor } from '../../filing/registration.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { ACCOUNTS } from '../../periods/taken-over.ts';

/**
 * Returns the registrations without what later locked periods used where the return leaves as much by itself: the books of
 * such a period stay as they were when the later one was locked upon them. An amended version says it in any case.
 */
export const withUsedLater = (
  registrations: readonly FilingRegistration[],
  figures: FilingFigures,
  { period, jurisdictions, exceptions }: Pick<PeriodReport, 'period' | 'jurisdictions' | 'exceptions'>,
): readonly FilingRegistration[] => {
  if (isAmendmentLabel(period.label)) return registrations;
  return registrations.map((registration) => {
    if (!ACCOUNTS.some((account) => registration[account]?.usedLater)) return registration;
    const { prepayments, credits } = registration;
    const free: FilingRegistration = {
      ...registration,
      ...(prepayments && { prepayments: withoutUse(prepayments) }),
      ...(credits && { credits: withoutUse(credits) }),
    };
    const mayAdd = mostAdded(exceptions, registration.state);
    const [own] = figures
      .of(registration.state, period, jurisdictions)
      .filter(({ kind }) => kind === 'state')
      .map((each) => ({ figures: each, registration: registrationFor(free, each), mayAdd }));
    if (!own) return free;
    const { returns } = filingOf(loadFilingLaw(), { seller: '', period, states: [own], months: new Map() });
    const isLimited = returns
      .filter(isHandedIn)
      .some(({ filed }) =>
        ACCOUNTS.some((account) => filed[account].closing < (registration[account]?.usedLater ?? 0)),
      );
    return isLimited ? registration : free;
  });
};

const withoutUse = ({ usedLater: _, ...account }: Prepayments): Prepayments => account;
