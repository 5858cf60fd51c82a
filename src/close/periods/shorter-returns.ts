import type { FilingPeriod } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import type { Remittance } from '../figures/remittance.ts';
import {
  canBeRequired,
  completedIn,
  type LongerReturn,
  shorterPeriods,
} from '../filing/return/longer-return.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { reasonsOf } from '../reconcile/readiness.ts';
import { locksOf } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { closingOf } from './closing.ts';
import { lastVersionOf } from './last-version.ts';

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

/**
 * Returns the state's own return of a period in its last version; `undefined` if it was not closed with one, or if it is
 * neither ready nor locked, so that it may still change.
 */
export const lastReturnOf = async (
  workspace: Workspace,
  label: string,
  state: string,
): Promise<Remittance | undefined> => {
  const version = await lastVersionOf(workspace, { label });
  const closing = await closingOf(workspace, version);
  const mayChange = closing !== undefined && reasonsOf(closing.report.readiness, state).length > 0;
  if (
    mayChange &&
    !(await locksOf(workspace)).some((lock) => lock.label === version && lock.state === 'locked')
  )
    return undefined;
  return closing?.report.remittances.find((each) => each.state === state && each.kind === 'state');
};
