import { versionBefore } from '../../../kernel/amended-version.ts';
import { ZERO } from '../../../kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { type LeftAccounts, leftAccounts } from '../../periods/left-accounts.ts';
import { type StatedBalance, statedBalance } from '../../periods/stated-balances.ts';
import { ACCOUNTS, type Account, type TakenOver } from '../../periods/taken-over.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { closingHeads } from '../../workspace/closings.ts';
import type { ClosePorts } from '../run/close-ports.ts';

type Registration = Configuration['registrations'][number];

/** What is known of earlier periods: those that were closed, and what they left. */
type Earlier = { readonly closed: ReadonlySet<string> } & Pick<LeftAccounts, 'leftBy'>;

/**
 * Returns an exception for each state whose prepayments or credits open the period with nothing because none of the periods
 * that could leave them was closed, although an earlier one left some, or the configuration has some for it.
 */
export const unknownBalances = async (
  { workspace, configuration: { registrations } }: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
  { states }: TakenOver,
): Promise<readonly DraftException[]> => {
  const closed = new Set((await closingHeads(workspace)).map(({ period: label }) => label));
  const fromOf = (state: string): readonly string[] => states[state]?.from ?? [];
  const unclosed = registrations.filter(({ state }) => !fromOf(state).some((label) => closed.has(label)));
  if (unclosed.length === 0) return [];
  const earlier = { closed, ...(await leftAccounts(workspace)) };
  return unclosed.flatMap((registration) => {
    const from = fromOf(registration.state);
    const labels = earlierThan(from);
    const of = ACCOUNTS.filter(
      (account) => statedBalance(registration, account, period).opening === undefined,
    );
    const [known] = of.flatMap((account) => lastKnown(registration, account, labels, earlier) ?? []);
    const [before] = from;
    return before === undefined || known === undefined
      ? []
      : [balanceUnknown(registration.state, before, known)];
  });
};

/** How many periods of each length are asked for what they left. */
const PERIODS_BEFORE = 12;

/** Returns these periods and those before them of the same lengths, the latest first. */
export const earlierThan = (from: readonly string[]): readonly string[] => {
  const periods = from.flatMap((label) => {
    const own: FilingPeriod[] = [];
    for (let at = parsePeriod(label); at && own.length < PERIODS_BEFORE; at = versionBefore(at)) own.push(at);
    return own;
  });
  return periods
    .toSorted((one, other) => (one.first === other.first ? 0 : one.first > other.first ? -1 : 1))
    .map(({ label }) => label);
};

/** Returns the last period with an amount in the account; `undefined` when a later one is known to have none. */
const lastKnown = (
  registration: Registration,
  account: Account,
  labels: readonly string[],
  { closed, leftBy }: Earlier,
): string | undefined => {
  const statedFor = (label: string): StatedBalance | undefined => {
    const period = parsePeriod(label);
    return period && statedBalance(registration, account, period);
  };
  const configured = (label: string): number => {
    const stated = statedFor(label);
    return (stated?.opening ?? ZERO) + (stated?.added ?? ZERO);
  };
  const isKnown = (label: string) =>
    closed.has(label) || statedFor(label)?.opening !== undefined || configured(label) > ZERO;
  const label = labels.find(isKnown);
  if (label === undefined) return undefined;
  const left = closed.has(label)
    ? (leftBy([label], registration.state)?.[account] ?? ZERO)
    : configured(label);
  return left > ZERO ? label : undefined;
};

export const balanceUnknown = (state: string, before: string, known: string): DraftException => ({
  severity: 'error',
  code: 'balance-unknown',
  origin: { file: '', line: 0, record: `US-${state}` },
  message: `the prepayments and credits of ${state} open with nothing, because ${before} was not closed, and ${known} has some of which the rest is not known`,
  state,
  effect: ZERO,
});
