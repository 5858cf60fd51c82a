import { amendedPeriod, parseVersion, versionBefore } from '../../../kernel/amended-version.ts';
import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { PriorPeriodState } from '../../figures/prior-period-states.ts';
import { type StatedBalance, statedBalance } from '../../periods/stated-balances.ts';
import { ACCOUNTS } from '../../periods/taken-over.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { closingHeads } from '../../workspace/closings.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { trendOf } from './trend-of.ts';

type Registration = Configuration['registrations'][number];
type Account = (typeof ACCOUNTS)[number];

/** What is known of the periods before a period, the latest first. */
type Before = {
  readonly labels: readonly string[];
  readonly closed: ReadonlySet<string>;
  readonly trend: readonly PriorPeriodState[];
};

/**
 * Returns an exception for each state whose prepayments or credits open the period with nothing because the period before
 * was not closed, although an earlier one left some, or the configuration has some for it.
 */
export const unknownBalances = async (
  { workspace, configuration: { registrations } }: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
): Promise<readonly DraftException[]> => {
  const closed = new Set((await closingHeads(workspace)).map(({ period: label }) => label));
  const [last] = labelsBefore(period);
  if (last === undefined || closed.has(last)) return [];
  const before = { labels: labelsBefore(period), closed, trend: await trendOf(workspace, period, []) };
  return registrations
    .filter(({ since }) => since <= period.last)
    .flatMap((registration) => {
      const of = ACCOUNTS.filter(
        (account) => statedBalance(registration, account, period).opening === undefined,
      );
      const [known] = of.flatMap((account) => lastKnown(registration, account, before) ?? []);
      return known === undefined ? [] : [balanceUnknown(registration.state, last, known)];
    });
};

/** As far back as the trend goes. */
const PERIODS_BEFORE = 12;

const labelsBefore = (period: FilingPeriod): readonly string[] => {
  const labels: string[] = [];
  for (let at = versionBefore(period); at && labels.length < PERIODS_BEFORE; at = versionBefore(at))
    labels.push(at.label);
  return labels;
};

/** Returns the last period with an amount in the account; `undefined` when a later one is known to have none. */
const lastKnown = (
  registration: Registration,
  account: Account,
  { labels, closed, trend }: Before,
): string | undefined => {
  const statedFor = (label: string): StatedBalance | undefined => {
    const period = parseVersion(label);
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
  const filed = trend.find(
    (row) => amendedPeriod(row.period) === label && row.state === registration.state,
  )?.filed;
  const left = closed.has(label) ? (filed?.[`${account}Left`] ?? ZERO) : configured(label);
  return left > ZERO ? label : undefined;
};

const balanceUnknown = (state: string, before: string, known: string): DraftException => ({
  severity: 'error',
  code: 'balance-unknown',
  origin: { file: '', line: 0, record: `US-${state}` },
  message: `the prepayments and credits of ${state} open with nothing, because ${before} was not closed, and ${known} has some of which the rest is not known`,
  state,
  effect: ZERO,
});
