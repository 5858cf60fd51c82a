import type { Configuration } from '../close/configuration/schema.ts';
import {
  canBeRequired,
  completedIn,
  type LongerReturn,
  shorterPeriods,
} from '../close/filing/return/longer-return.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { FilingPeriod } from '../kernel/period.ts';

type Registration = Configuration['registrations'][number];

/** A return that completes returns of shorter periods. */
type Completing = {
  readonly longer: LongerReturn;
  /** The shorter periods for which a return can be required, oldest first. */
  readonly shorter: readonly FilingPeriod[];
  /** The last shorter period, which leaves its prepayments and credits to the return. */
  readonly last: FilingPeriod | undefined;
};

export const ofState = (state: string) => ({ state, kind: 'state', name: '' }) as const;

/** Returns what the state's own return of a period completes; `undefined` if it completes nothing. */
export const completingIn = (
  { state, since, frequency }: Pick<Registration, 'state' | 'since' | 'frequency'>,
  period: FilingPeriod,
): Completing | undefined => {
  const law = loadFilingLaw();
  const longer = completedIn(law, ofState(state), frequency, period);
  if (!longer) return undefined;
  const all = shorterPeriods(law, ofState(state), frequency, period).filter(({ last }) => since <= last);
  return {
    longer,
    shorter: all.filter(({ last }) => canBeRequired(law, ofState(state), frequency, last)),
    last: all.at(-1),
  };
};
