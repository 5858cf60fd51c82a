import type { FilingPeriod } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { filedFrequencies } from './filed-frequencies.ts';
import { type Days, filedReturns } from './filed-returns.ts';

type Registration = Configuration['registrations'][number];

/** Returns the registrations that count for a period, as they count for it. */
type CountedRegistrations = (
  configured: readonly Registration[],
  period: FilingPeriod,
) => Promise<readonly Registration[]>;

/**
 * Return what finds the registrations that count for periods: the configured ones, and of a state that has none by the
 * end of the period the one with which locked days of it were closed. The configuration says where the seller is
 * registered today; what was filed stays filed. All have the frequencies that count for the period.
 */
export const registrationsCounted = async (workspace: Workspace): Promise<CountedRegistrations> => {
  const closings = await filedReturns(workspace);
  const withFrequencies = filedFrequencies(closings);
  return async (configured, period) => {
    const all = new Map(configured.map((each) => [each.state, each]));
    for (const { lock, isOfReturns, registrations } of await closings(period)) {
      // What was filed of a month within longer returns, the lock of the month says.
      if (isOfReturns && !isWithin(period, lock)) continue;
      for (const filed of registrations)
        if (!hasBegun(configured, filed.state, period)) all.set(filed.state, filed);
    }
    const counted: Registration[] = [];
    for (const registration of all.values()) counted.push(await withFrequencies(registration, period));
    return counted;
  };
};

const isWithin = ({ first, last }: FilingPeriod, days: Days): boolean =>
  first <= days.first && days.last <= last;

const hasBegun = (configured: readonly Registration[], state: string, { last }: FilingPeriod): boolean =>
  configured.some((each) => each.state === state && each.since <= last);

/** Returns the registrations that count for one period. */
export const countedRegistrations: (
  workspace: Workspace,
  ...of: Parameters<CountedRegistrations>
) => ReturnType<CountedRegistrations> = async (workspace, ...of) =>
  (await registrationsCounted(workspace))(...of);
